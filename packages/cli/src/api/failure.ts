import { PackhouseError, type ErrorItem } from '@packhouse/client';
import { CliError, connectionFailure, shown } from '@packhouse/command';

/** The subject of a call, for the messages of its failures. */
export interface About {
  /** The thing: `repo "notes" in namespace "default"`. */
  readonly subject: string;
  /** The hint for a thing that does not exist. */
  readonly lookUp: string;
  /** Hints for refused values that are special to the call, by the member of the request that held them. */
  readonly hints?: Readonly<Record<string, string>>;
  /** Returns a special error for a refused request; undefined leaves it to the general text. */
  readonly explain?: (error: PackhouseError) => CliError | undefined;
}

/** The facts about a failed call that an error message needs. */
interface FailedCall extends About {
  readonly base: string;
  readonly account: string;
  readonly program: string;
  /** How the service spells the name that is already taken, if the client looked it up. */
  readonly taken?: string | undefined;
}

/** Returns the error for a failed call of the client. */
export function failure(error: unknown, call: FailedCall): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof RangeError) return new CliError('usage', error.message, 'Write another name.');
  if (!(error instanceof PackhouseError)) return connectionError(error, call);
  const [item] = error.errors;
  if (item === undefined) return strangerError(error.status, call);
  return call.explain?.(error) ?? refusal(error, item, call);
}

/** Returns the error for a connection that failed. */
export function connectionError(error: unknown, { base, program }: Pick<FailedCall, 'base' | 'program'>): CliError {
  const { kind, message } = connectionFailure(error, base);
  const hints: Readonly<Record<typeof kind, string>> = {
    'nothing listens': `Start a server with "${program} serve", or name another with --url or PACKHOUSE_URL.`,
    'unknown host': 'Check the spelling of --url or PACKHOUSE_URL.',
    certificate: 'Name the file of its authority in NODE_EXTRA_CA_CERTS.',
    'broken off': 'Check whether --url should begin with https:// or http://.',
    unreachable: 'Check --url or PACKHOUSE_URL, and the network.',
  };
  return new CliError('unreachable', message, hints[kind], { cause: error });
}

/** Returns the error for a server that answers, but is not this service. */
function strangerError(status: number, { base }: FailedCall): CliError {
  return new CliError(
    'unreachable',
    `What answers at ${base} is not this service, or has another dialect (HTTP ${status}).`,
    'Check --url (the base URL alone) and --dialect.',
  );
}

/** The error code for a name that is already taken (REPO-168). */
export const alreadyExists = 10201;

/** Returns the error for a refused request (section 11 of the specification). */
function refusal({ status, retryAfter }: PackhouseError, item: ErrorItem, call: FailedCall): CliError {
  const { base, account, subject, program, taken, lookUp, hints = {} } = call;
  const message = shown(item.message);
  if (status === 401) {
    return new CliError(
      'credential',
      `${base} does not accept the API token.`,
      'Pass the one of that server with --api-token or PACKHOUSE_API_TOKEN; "serve" keeps it in the file api-token of its data folder.',
    );
  }
  if (status === 403) {
    return new CliError(
      'credential',
      `The API token does not allow this in account "${account}".`,
      'Check --account, and the permissions of the token.',
    );
  }
  if (item.code === 7003 || item.code === 7001) {
    return new CliError(
      'refused',
      `${base} does not know the address of this command (${message}).`,
      'Check --account and --dialect.',
    );
  }
  if (item.code === 10101) {
    return new CliError('refused', `The ${subject} cannot have that name.`, allowedValue('name', program));
  }
  if (item.code === 10100 && item.source?.pointer === '/namespace') {
    return new CliError('refused', 'No namespace can have that name.', allowedValue('namespace', program));
  }
  if (status === 404) return new CliError('refused', `There is no ${subject}.`, lookUp);
  if (item.code === alreadyExists)
    return new CliError(
      'refused',
      taken === undefined || subject.includes(`"${taken}"`)
        ? `There is already a ${subject}.`
        : `There is already a ${subject.replace(/"[^"]*"/, () => `"${taken}"`)} (names ignore case).`,
      `Choose another name, or look: ${lookUp}`,
    );
  if (item.code === 10202) {
    return new CliError(
      'refused',
      `The ${subject} is not empty.`,
      `Delete its repos first: "${program} repo list --namespace ${/"([^"]*)"/.exec(subject)?.[1] ?? ''}" shows them.`,
    );
  }
  if (item.reason === 'nothing_to_commit')
    return new CliError('refused', `${message}.`, 'The branch has these files already.');
  if (status === 409 || status === 503) {
    const wait = retryAfter === undefined ? undefined : `Try again in ${retryAfter} seconds.`;
    return new CliError('refused', `${message.replace(/\.$/, '')}.`, wait ?? hintOf(item) ?? 'Try again in a moment.');
  }
  if (status === 429)
    return new CliError('refused', 'Too many requests.', `Try again in ${retryAfter ?? 'some'} seconds.`);
  if (status === 507)
    return new CliError('refused', message, 'Free space on the disk of the data folder, and try again.');
  if (status >= 500) {
    return new CliError(
      'refused',
      `${base} failed with an internal error (HTTP ${status}).`,
      "Look at the server's log, and try again.",
    );
  }
  const field = item.source?.pointer.slice(1);
  const named = field === undefined || message.startsWith(field) ? '' : `${field}: `;
  // The hint of an invalid value speaks of the request, which the user does not see.
  const hint = item.reason === 'invalid_input' ? undefined : hintOf(item);
  const known = hints[field ?? ''] ?? allowed[field ?? ''] ?? hint;
  return new CliError('refused', `${named}${message}.`, known ?? allowedValue(field, program));
}

/** Returns the hint of the service as one printable line, without the marks of code. */
function hintOf({ hint }: ErrorItem): string | undefined {
  return typeof hint === 'string' ? shown(hint.slice(0, 300).replaceAll('`', '"')) : undefined;
}

/** The hint for a value that the service refuses, by the member of the request that held it. */
const allowed: Readonly<Record<string, string>> = {
  // REPO-061.
  name: 'Use letters, digits, ".", "_" and "-", with a letter or digit first, such as "my-repo".',
  // REPO-060, LIM-005.
  namespace:
    'Use 2 to 63 letters, digits, ".", "_" and "-", with a letter or digit first and no "-" last, such as "my-team".',
  // REPO-063.
  default_branch:
    'Use a name that Git takes for a branch, such as "main" or "release/1.0": no spaces, no "..", none of ~^:?*[\\, no "-" first, and not "HEAD".',
  // REPO-251.
  branch: 'Use the short name of a branch, such as "main", without "refs/heads/".',
  into: 'Use the short name of a branch, such as "main", without "refs/heads/".',
  // LIM-007.
  description: 'Give a shorter text after --description, or none.',
  // TOKEN-009.
  ttl: 'Write seconds after --ttl, or a number with m, h or d, such as 12h.',
  // REPO-253.
  expected_head: 'Give the 40 digits of a commit after --expect, or "none".',
  // REPO-293.
  q: 'Correct TEXT; without --regex it is no expression.',
  // LIM-016.
  search: 'Give a shorter text after --search.',
};

/** Returns the hint for a refused value. `program` is how the user calls this command line. */
function allowedValue(member: string | undefined, program: string): string {
  return allowed[member ?? ''] ?? `Look at what "${program} --help" says, and whether the server is of this release.`;
}
