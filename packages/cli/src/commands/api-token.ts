import type { BodyOf, QueryOf } from '@packhouse/client';
import { CliError, fields, printResult, shown, table, type Command } from '@packhouse/command';
import { all, apiOf } from '../api/api.ts';
import type { About } from '../api/failure.ts';
import { apiOptions } from '../api/options.ts';
import { tokenStateOption, ttlOption, ttlOf } from '../api/token-options.ts';

type Permission = BodyOf<'createApiToken'>['permissions'][number];

const aboutTokens: About = { subject: 'API tokens', lookUp: '' };

export const apiTokenCommands: readonly Command[] = [
  {
    words: ['api-token', 'create'],
    summary: 'Make an API token for the account, a namespace or a repo',
    details:
      'The token works at once, on every server, for commands and over Git: as the password, with any user name. ' +
      'Its plaintext is shown only here. It may do no more than the token that makes it.',
    arguments: [{ name: 'NAME', description: 'a name that says what it is for' }],
    options: [
      {
        name: 'permission',
        value: 'PERMISSION',
        choices: ['read', 'edit', 'git.read', 'git.write', 'tag.read', 'tag.write'],
        description: 'What it allows; git.read and git.write are for Git alone (default read)',
        repeatable: true,
      },
      { name: 'namespace', value: 'NAME', description: 'Only for this namespace, with later repos' },
      { name: 'repo', value: 'NAME', description: 'Only for this repo of the namespace' },
      { ...ttlOption, default: '30d' },
      ...apiOptions,
    ],
    examples: [
      'api-token create ci --permission git.write --namespace team --ttl 90d',
      'api-token create reports --permission read --permission tag.read',
    ],
    async run(invocation, io) {
      const name = invocation.argument('NAME');
      const [namespace, repo] = [invocation.text('namespace'), invocation.text('repo')];
      if (repo !== undefined && namespace === undefined)
        throw new CliError('usage', '--repo needs --namespace.', 'Name the namespace of the repo, too.');
      const chosen = invocation.texts('permission') as readonly Permission[];
      const { client, settle } = apiOf(invocation, io);
      const result = await settle(
        client.apiTokens.create({
          name,
          permissions: chosen.length === 0 ? ['read'] : [...chosen],
          ...(namespace !== undefined && { namespace }),
          ...(repo !== undefined && { repo }),
          ttl: ttlOf(invocation),
        }),
        {
          subject: repo === undefined ? `namespace "${namespace ?? ''}"` : `repo "${repo}" in namespace "${namespace}"`,
          lookUp:
            repo === undefined
              ? `"${io.program} namespace list" shows the namespaces.`
              : `"${io.program} repo list --namespace ${namespace}" shows the repos.`,
          hints: {
            name: 'Give a shorter NAME, of one line.',
            permissions: 'Leave out --namespace, or the permissions that begin with "tag.".',
          },
        },
      );
      printResult(invocation, io, result, () =>
        fields(
          Object.entries({
            ...result,
            permissions: result.permissions.join(', '),
            plaintext: `${result.plaintext}   (shown only now)`,
          }),
        ),
      );
      return 0;
    },
  },
  {
    words: ['api-token', 'list'],
    summary: 'List the API tokens that the service stores, newest first',
    arguments: [],
    options: [tokenStateOption, ...apiOptions],
    examples: ['api-token list', 'api-token list --state all --json'],
    async run(invocation, io) {
      const state = invocation.text('state') as NonNullable<QueryOf<'listApiTokens'>['state']>;
      const { client, settle } = apiOf(invocation, io);
      const rows = await settle(all(client.apiTokens.list({ state, per_page: 100 })), aboutTokens);
      printResult(invocation, io, rows, (screen) =>
        table(
          ['ID', 'NAME', 'FOR', 'PERMISSIONS', 'STATE', 'EXPIRES'],
          rows.map((row) =>
            [row.id, row.name, placeOf(row), row.permissions.join(','), row.state, row.expires_at].map(shown),
          ),
          'There are no such tokens.',
          screen,
        ),
      );
      return 0;
    },
  },
  {
    words: ['api-token', 'revoke'],
    summary: 'End an API token now, with the API tokens that it made',
    arguments: [{ name: 'ID', description: 'the id of the token, as "api-token list" shows it' }],
    options: apiOptions,
    examples: ['api-token revoke b8q2w5e7r1t9y3u6'],
    async run(invocation, io) {
      const id = invocation.argument('ID');
      const { client, settle } = apiOf(invocation, io);
      const result = await settle(client.apiTokens.revoke(id), {
        subject: `API token "${id.slice(0, 16)}"`,
        lookUp: `"${io.program} api-token list" shows the ids; an id is 16 letters and digits, not the token itself.`,
      });
      printResult(invocation, io, result, () => `Revoked API token ${shown(id)}.\n`);
      return 0;
    },
  },
];

/** Returns the account, `team`, or `team/notes`. */
function placeOf({ scope, namespace, repo }: { scope: string; namespace: string | null; repo: string | null }): string {
  if (scope === 'account') return 'account';
  return scope === 'namespace' ? `${namespace}` : `${namespace}/${repo ?? '(deleted)'}`;
}
