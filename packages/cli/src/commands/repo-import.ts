import type { PackhouseError } from '@packhouse/client';
import { CliError, printResult, shown, type Command } from '@packhouse/command';
import { repoOf } from '../api/api.ts';
import { dropUndefined } from '../api/drop-undefined.ts';
import { apiOptions, namespaceOption } from '../api/options.ts';
import { welcome } from './repo.ts';

/** REPO-089: the import has not finished. */
const importInProgress = 10302;
/** REPO-126, REPO-129: the URL is not a Git remote, or the service does not connect to it. */
const invalidUrl = 10104;
/** REPO-128. */
const upstreamUnavailable = 10401;

export const repoImportCommand: Command = {
  words: ['repo', 'import'],
  summary: 'Make a repo of what another Git host has, fetched by the service',
  details:
    'The service asks public addresses alone, without a password, and the hosts of its setting import_allow. What fails leaves no repo. For a directory on this machine there is "import".',
  arguments: [
    { name: 'URL', description: 'where it is, such as https://git.example.org/team/hello' },
    { name: 'NAME', description: 'the name of the new repo (default: the last part of the URL)', optional: true },
  ],
  options: [
    { name: 'branch', value: 'NAME', description: 'This branch alone (default: all branches and tags)' },
    { name: 'depth', value: 'N', description: 'So many commits of history (default: all)' },
    { name: 'description', value: 'TEXT', description: 'What it is for' },
    { name: 'read-only', description: 'Refuse every push' },
    namespaceOption,
    ...apiOptions,
  ],
  examples: [
    'repo import https://git.example.org/team/hello',
    'repo import https://git.example.org/team/hello hi --depth 1',
  ],
  async run(invocation, io) {
    const url = invocation.argument('URL');
    const name = invocation.optionalArgument('NAME') ?? lastPart(url);
    const [branch, description] = ['branch', 'description'].map((option) => invocation.text(option));
    const depth = commits(invocation.text('depth'));
    const readOnly = invocation.flag('read-only');
    const { repo, look, settle } = repoOf(invocation, io, name);
    const source = dropUndefined({ url, branch, depth, description, read_only: readOnly });
    const made = await settle(repo.import(source), { explain: remoteFailure });
    const goesOn = await look().then(
      () => false,
      (error: Partial<PackhouseError>) => error.code === importInProgress,
    );
    printResult(invocation, io, made, () =>
      goesOn
        ? `${welcome(made, readOnly)}\nIt is still being imported: "${io.program} repo list" shows when it is ready.\n`
        : welcome(made, readOnly),
    );
    return 0;
  },
};

function commits(depth: string | undefined): number | undefined {
  if (depth === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(depth)) return Number(depth);
  throw new CliError('usage', `--depth cannot be "${depth}".`, 'Write a number of commits, 1 or more.');
}

/** Returns the directory name that a Git client would choose for a clone of it. */
function lastPart(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  const part =
    path
      .replace(/\/+$/, '')
      .split('/')
      .at(-1)
      ?.replace(/\.git$/, '') ?? '';
  if (part !== '') return part;
  throw new CliError(
    'usage',
    'The URL ends in no name.',
    'Write the whole URL, such as https://git.example.org/team/hello, or name the new repo behind it.',
  );
}

/** Returns the error for a failure of the remote, which is not the fault of the service. */
function remoteFailure({ status, code, errors: [item] }: PackhouseError): CliError | undefined {
  const text = `${shown(item?.message).replace(/\.$/, '')}.`;
  if (code === invalidUrl) {
    return new CliError(
      'refused',
      text,
      'Check the URL. The service asks public addresses alone, and the hosts of its setting import_allow; its log says what was wrong.',
    );
  }
  if (code === upstreamUnavailable) {
    return new CliError(
      'refused',
      text,
      'The other host cannot be reached, or broke off; the log of the service says why.',
    );
  }
  return status === 404 || status === 413 || status === 422
    ? new CliError('refused', text, 'Nothing was made. Check the URL and --branch.')
    : undefined;
}
