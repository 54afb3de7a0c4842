import type { BodyOf, QueryOf } from '@packhouse/client';
import { fields, printResult, shown, table, type Command } from '@packhouse/command';
import { all, apiOf, repoOf } from '../api/api.ts';
import { apiOptions, namespaceOption } from '../api/options.ts';
import { tokenStateOption, ttlOf, ttlOption } from '../api/token-options.ts';

const repoArgument = { name: 'REPO', description: 'the name of the repo' };
const options = [namespaceOption, ...apiOptions];

export const tokenCommands: readonly Command[] = [
  {
    words: ['token', 'create'],
    summary: 'Make a token for Git access to one repo',
    arguments: [repoArgument],
    options: [
      {
        name: 'scope',
        value: 'SCOPE',
        choices: ['read', 'write'],
        description: 'read: clone and fetch; write: push too',
        default: 'write',
      },
      { ...ttlOption, default: '1d' },
      ...options,
    ],
    examples: ['token create notes --scope read --ttl 12h'],
    async run(invocation, io) {
      const scope = invocation.text('scope') as NonNullable<BodyOf<'createToken'>['scope']>;
      const ttl = ttlOf(invocation);
      const { repo, settle } = repoOf(invocation, io, invocation.argument('REPO'));
      const result = await settle(repo.createToken({ scope, ttl }));
      printResult(invocation, io, result, () =>
        fields(Object.entries({ ...result, plaintext: `${result.plaintext}   (shown only now)` })),
      );
      return 0;
    },
  },
  {
    words: ['token', 'list'],
    summary: 'List the tokens of a repo, newest first',
    arguments: [repoArgument],
    options: [tokenStateOption, ...options],
    examples: ['token list notes --state all'],
    async run(invocation, io) {
      const state = invocation.text('state') as NonNullable<QueryOf<'listTokens'>['state']>;
      const { repo, settle } = repoOf(invocation, io, invocation.argument('REPO'));
      const rows = await settle(all(repo.listTokens({ state, per_page: 100 })));
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
      const { client, settle } = apiOf(invocation, io);
      // A token is of a namespace: its repo is not in the address.
      const result = await settle(client.repo(namespace, '').revokeToken(id), {
        subject: `token "${id.slice(0, 16)}" in namespace "${namespace}"`,
        lookUp: `"${io.program} token list", with the name of the repo and --namespace ${namespace}, shows the ids; an id is 16 letters and digits, not the token itself.`,
      });
      printResult(invocation, io, result, () => `Revoked token ${shown(id)}.\n`);
      return 0;
    },
  },
];
