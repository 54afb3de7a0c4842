import type { BodyOf } from '@packhouse/client';
import { fields, printResult, shown, table, type Command } from '@packhouse/command';
import { all, apiOf } from '../api/api.ts';
import type { About } from '../api/failure.ts';
import { apiOptions } from '../api/options.ts';

const name = { name: 'NAME', description: 'the name of the namespace' };

function aboutNamespace(namespace: string, program: string): About {
  return { subject: `namespace "${namespace}"`, lookUp: `"${program} namespace list" shows those there are.` };
}

export const namespaceCommands: readonly Command[] = [
  {
    words: ['namespace', 'create'],
    summary: 'Make a namespace',
    details:
      'A namespace holds repos. The first repo made in one makes it too, so this is only needed for a jurisdiction.',
    arguments: [name],
    options: [
      {
        name: 'jurisdiction',
        value: 'NAME',
        choices: ['unrestricted', 'eu', 'us'],
        description: 'Where its data may lie',
        default: 'unrestricted',
      },
      ...apiOptions,
    ],
    examples: ['namespace create team', 'namespace create team --jurisdiction eu'],
    async run(invocation, io) {
      const namespace = invocation.argument('NAME');
      const jurisdiction = invocation.text('jurisdiction') as NonNullable<BodyOf<'createNamespace'>['jurisdiction']>;
      const { client, settle } = apiOf(invocation, io);
      const result = await settle(client.namespaces.create({ namespace, jurisdiction }), {
        ...aboutNamespace(namespace, io.program),
        spelling: async () => (await client.namespaces.get(namespace)).namespace,
      });
      printResult(invocation, io, result, () => `Made namespace ${shown(result.namespace)}.\n`);
      return 0;
    },
  },
  {
    words: ['namespace', 'list'],
    summary: 'List the namespaces, newest first',
    arguments: [],
    options: apiOptions,
    examples: ['namespace list'],
    async run(invocation, io) {
      const { client, settle } = apiOf(invocation, io);
      const rows = await settle(all(client.namespaces.list({ limit: 200 })), { subject: 'namespaces', lookUp: '' });
      printResult(invocation, io, rows, (screen) =>
        table(
          ['NAMESPACE', 'REPOS', 'JURISDICTION', 'CREATED'],
          rows.map((row) => [
            shown(row.namespace),
            shown(row.repo_count),
            shown(row.jurisdiction),
            shown(row.created_at),
          ]),
          'There are no namespaces.',
          screen,
        ),
      );
      return 0;
    },
  },
  {
    words: ['namespace', 'get'],
    summary: 'Show a namespace',
    arguments: [name],
    options: apiOptions,
    examples: ['namespace get team'],
    async run(invocation, io) {
      const namespace = invocation.argument('NAME');
      const { client, settle } = apiOf(invocation, io);
      const result = await settle(client.namespaces.get(namespace), aboutNamespace(namespace, io.program));
      printResult(invocation, io, result, () => fields(Object.entries(result)));
      return 0;
    },
  },
  {
    words: ['namespace', 'delete'],
    summary: 'Delete a namespace that holds no repo',
    arguments: [name],
    options: apiOptions,
    examples: ['namespace delete team'],
    async run(invocation, io) {
      const namespace = invocation.argument('NAME');
      const { client, settle } = apiOf(invocation, io);
      await settle(client.namespaces.delete(namespace), aboutNamespace(namespace, io.program));
      printResult(invocation, io, { namespace }, () => `Deleted namespace ${shown(namespace)}.\n`);
      return 0;
    },
  },
];
