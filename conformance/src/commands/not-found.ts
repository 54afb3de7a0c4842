import { CliError, connectionFailure, type Io } from '@packhouse/command';
import type { WantedTarget } from '../probe/find-target.ts';
import type { Found } from '../probe/found.ts';

/** Returns the error for a target that is not there. Its exit code is that of `refused`, or of `usage`. */
export function notFound(
  found: Exclude<Found, { kind: 'target' }>,
  wanted: WantedTarget,
  { env }: Pick<Io, 'env'>,
): CliError {
  switch (found.kind) {
    case 'not admitted':
      return wanted.account === ''
        ? new CliError(
            'usage',
            `The server does not admit the credential to ${found.url} (${found.status}).`,
            gitCredentialHint(env),
          )
        : new CliError(
            'usage',
            `The service does not admit CONFORMANCE_API_TOKEN to the account "${wanted.account}" (${found.status}).`,
            'Check the token and --account.',
          );
    case 'not empty':
      return new CliError(
        'usage',
        `The repository ${found.url} is not empty.`,
        'Cases delete all refs: name an empty one, or only read it with --read-only.',
      );
    case 'nothing': {
      const { kind, message } = connectionFailure(found.error, wanted.name);
      const hint = kind === 'certificate' ? 'Name the file of its authority in NODE_EXTRA_CA_CERTS.' : 'Check the URL.';
      return new CliError('refused', message, hint);
    }
    case 'stranger': {
      const seen = found.areas.map(({ area, evidence }) => `${area}: ${evidence}`).join('; ');
      return new CliError('refused', `Nothing at ${wanted.name} can be tested (${seen}).`, hintFor(wanted));
    }
  }
}

function gitCredentialHint(env: Io['env']): string {
  if (env['CONFORMANCE_GIT_TOKEN']) return 'Check the value of CONFORMANCE_GIT_TOKEN.';
  if (env['CONFORMANCE_GIT_PASSWORD'])
    return 'Check the values of CONFORMANCE_GIT_USERNAME and CONFORMANCE_GIT_PASSWORD.';
  if (env['CONFORMANCE_GIT_USERNAME']) return 'Set CONFORMANCE_GIT_PASSWORD, too.';
  return 'Set CONFORMANCE_GIT_TOKEN, or CONFORMANCE_GIT_USERNAME and CONFORMANCE_GIT_PASSWORD.';
}

function hintFor({ areas, dialect }: WantedTarget): string {
  if (areas?.includes('git') === true) return 'Check --git: clients must be able to fetch from it and push to it.';
  if (areas?.includes('errors') === true)
    return 'Switch the error route on there, or give --dialect to see what is wrong with it.';
  return `Check the URL${dialect === undefined ? '' : ' and --dialect'}.`;
}
