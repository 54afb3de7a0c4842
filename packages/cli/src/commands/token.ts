import { aboutRepo } from '../api/about-repo.ts';
import { apiOf, apiOptions, namespaceOption } from '../api/options.ts';
import { CliError } from '../output/cli-error.ts';
import type { Command, Invocation } from '../command/command.ts';
import type { Io } from '../output/io.ts';
import { fields, printResult, shown, table } from '../output/print.ts';

/** A token as the service returns it (REPO-054). */
interface TokenLine {
  readonly id: string;
  readonly scope: string;
  readonly state: string;
  readonly created_at: string;
  readonly expires_at: string;
}

const repo = { name: 'REPO', description: 'the name of the repo' };
const options = [namespaceOption, ...apiOptions];

function namespacePath(invocation: Invocation): string[] {
  return ['namespaces', invocation.text('namespace') ?? ''];
}

function about(invocation: Invocation, io: Io): ReturnType<typeof aboutRepo> {
  return aboutRepo(io, invocation.text('namespace') ?? '', invocation.argument('REPO'));
}

/** Parses seconds, or a number with the suffix `m`, `h` or `d`. The service checks the bounds (TOKEN-009). */
function seconds(text: string): number {
  const [, digits, unit] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  if (digits === undefined)
    throw new CliError(
      'usage',
      `--ttl cannot be "${text}".`,
      'Write seconds, or a number with m, h or d, such as 12h.',
    );
  return Number(digits) * ({ m: 60, h: 3600, d: 86_400 }[unit ?? ''] ?? 1);
}

export const tokenCommands: readonly Command[] = [
  {
    words: ['token', 'create'],
    summary: 'Make a token for Git access to one repo',
    arguments: [repo],
    options: [
      {
        name: 'scope',
        value: 'SCOPE',
        choices: ['read', 'write'],
        description: 'read: clone and fetch; write: push too',
        default: 'write',
      },
      { name: 'ttl', value: 'TIME', description: 'Lifetime: seconds, or a number with m, h or d', default: '1d' },
      ...options,
    ],
    examples: ['token create notes --scope read --ttl 12h'],
    async run(invocation, io) {
      const result = await apiOf(invocation, io).one({
        method: 'POST',
        path: [...namespacePath(invocation), 'tokens'],
        body: {
          repo: invocation.argument('REPO'),
          scope: invocation.text('scope'),
          ttl: seconds(invocation.text('ttl') ?? ''),
        },
        ...about(invocation, io),
      });
      printResult(invocation, io, result, () => fields(Object.entries(result as object)));
      return 0;
    },
  },
  {
    words: ['token', 'list'],
    summary: 'List the tokens of a repo, newest first',
    arguments: [repo],
    options: [
      {
        name: 'state',
        value: 'STATE',
        choices: ['active', 'expired', 'revoked', 'all'],
        description: 'Which ones',
        default: 'active',
      },
      ...options,
    ],
    examples: ['token list notes --state all'],
    async run(invocation, io) {
      const rows = (await apiOf(invocation, io).byPage({
        method: 'GET',
        path: [...namespacePath(invocation), 'repos', invocation.argument('REPO'), 'tokens'],
        query: { state: invocation.text('state') },
        ...about(invocation, io),
      })) as readonly TokenLine[];
      printResult(invocation, io, rows, (screen) =>
        table(
          ['ID', 'SCOPE', 'STATE', 'CREATED', 'EXPIRES'],
          rows.map((row) => [row.id, row.scope, row.state, row.created_at, row.expires_at].map(shown)),
          'There are no such tokens.',
          screen,
        ),
      );
      return 0;
    },
  },
  {
    words: ['token', 'revoke'],
    summary: 'End a token now',
    arguments: [{ name: 'ID', description: 'the id of the token, as "token list" shows it' }],
    options,
    examples: ['token revoke t5m1x8q0a2v7k4nd'],
    async run(invocation, io) {
      const id = invocation.argument('ID');
      const namespace = invocation.text('namespace') ?? '';
      const result = await apiOf(invocation, io).one({
        method: 'DELETE',
        path: [...namespacePath(invocation), 'tokens', id],
        subject: `token "${id.slice(0, 32)}" in namespace "${namespace}"`,
        lookUp: `"${io.program} token list", with the name of the repo and --namespace ${namespace}, shows the ids; an id is 16 letters and digits, not the token itself.`,
      });
      printResult(invocation, io, result, () => `Revoked token ${shown(id)}.\n`);
      return 0;
    },
  },
];
