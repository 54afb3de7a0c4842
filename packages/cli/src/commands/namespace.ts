import { apiOf, apiOptions } from '../api/options.ts';
import type { Command } from '../command/command.ts';
import { fields, printResult, shown, table } from '../output/print.ts';

/** A namespace as the service returns it (REPO-050). */
interface Namespace {
  readonly namespace: string;
  readonly jurisdiction: string;
  readonly repo_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

const name = { name: 'NAME', description: 'the name of the namespace' };

function aboutNamespace(namespace: string, program: string): { subject: string; lookUp: string } {
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
      const api = apiOf(invocation, io);
      const about = aboutNamespace(namespace, io.program);
      const result = await api.one({
        method: 'POST',
        path: ['namespaces'],
        body: { namespace, jurisdiction: invocation.text('jurisdiction') },
        spelling: async () =>
          ((await api.one({ method: 'GET', path: ['namespaces', namespace], ...about })) as Namespace).namespace,
        ...about,
      });
      printResult(invocation, io, result, () => `Made namespace ${shown((result as Namespace).namespace)}.\n`);
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
      const rows = (await apiOf(invocation, io).byCursor({
        method: 'GET',
        path: ['namespaces'],
        subject: 'namespaces',
        lookUp: '',
      })) as readonly Namespace[];
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
      const result = await apiOf(invocation, io).one({
        method: 'GET',
        path: ['namespaces', namespace],
        ...aboutNamespace(namespace, io.program),
      });
      printResult(invocation, io, result, () => fields(Object.entries(result as Namespace)));
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
      await apiOf(invocation, io).one({
        method: 'DELETE',
        path: ['namespaces', namespace],
        ...aboutNamespace(namespace, io.program),
      });
      printResult(invocation, io, { namespace }, () => `Deleted namespace ${shown(namespace)}.\n`);
      return 0;
    },
  },
];
