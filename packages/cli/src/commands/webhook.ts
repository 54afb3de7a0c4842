import type { BodyOf, ResultOf, Webhooks } from '@packhouse/client';
import {
  CliError,
  fields,
  printResult,
  shown,
  table,
  type Command,
  type Invocation,
  type Io,
  type OptionSpec,
} from '@packhouse/command';
import { apiOf } from '../api/api.ts';
import { apiOptions, namespaceOption } from '../api/options.ts';

const id = { name: 'ID', description: 'the id of the webhook, as "webhook list" shows it' };
const url = { name: 'URL', description: 'where events are sent, with https' };
const ownerOptions = (repo: string): readonly OptionSpec[] => [
  namespaceOption,
  { name: 'repo', value: 'NAME', description: repo },
  ...apiOptions,
];
const knownOwner = ownerOptions('The repo that has it (default: the namespace itself)');
const filterOptions = [
  {
    name: 'event',
    value: 'NAME',
    description: 'An event that it gets, such as pushed or token.created (default: every event)',
    repeatable: true,
  },
  {
    name: 'ref',
    value: 'PATTERN',
    description: 'Only pushes to these refs, such as "refs/heads/*" (default: every ref)',
    repeatable: true,
  },
];

type Filters = Pick<BodyOf<'createRepoWebhook'>, 'events' | 'refs'>;
type Shown = ResultOf<'getRepoWebhook'>;

/** The webhooks that the options name. */
interface NamedWebhooks {
  readonly webhooks: Webhooks;
  /** Resolves as a call about the webhook with this id does, or about the whole list. */
  readonly settle: <Result>(call: Promise<Result>, webhook?: string) => Promise<Result>;
}

function webhooksOf(invocation: Invocation, io: Io): NamedWebhooks {
  const [namespace = '', repo] = [invocation.text('namespace'), invocation.text('repo')];
  const { client, settle } = apiOf(invocation, io);
  const owner = repo === undefined ? `namespace "${namespace}"` : `repo "${repo}" in namespace "${namespace}"`;
  const options = `--namespace ${namespace}${repo === undefined ? '' : ` --repo ${repo}`}`;
  return {
    webhooks: client.webhooks(namespace, repo),
    settle: (call, webhook) =>
      settle(call, {
        hints: {
          url: 'Give a public URL with https. The operator lists hosts of a private network as user_webhook_allow.',
          events: 'Give one of these after --event.',
        },
        subject: webhook === undefined ? owner : `webhook "${webhook.slice(0, 32)}" of ${owner}`,
        lookUp:
          webhook !== undefined
            ? `"${io.program} webhook list ${options}" shows the ids.${repo === undefined ? ' For one of a repo, add --repo NAME.' : ''}`
            : repo === undefined
              ? `"${io.program} namespace list" shows the namespaces.`
              : `"${io.program} repo list --namespace ${namespace}" shows the repos.`,
      }),
  };
}

function filtersOf(invocation: Invocation): Filters {
  const [events, refs] = [invocation.texts('event'), invocation.texts('ref')];
  return {
    ...(events.length === 0 ? {} : { events: [...events] as NonNullable<Filters['events']> }),
    ...(refs.length === 0 ? {} : { refs: [...refs] }),
  };
}

export const webhookCommands: readonly Command[] = [
  {
    words: ['webhook', 'create'],
    summary: 'Send the events of a namespace, or of one repo, to a URL',
    details: 'Deliveries are signed (Standard Webhooks) with a secret that is shown only here.',
    arguments: [url],
    options: [...filterOptions, ...ownerOptions('Only this repo of the namespace (default: all, also later ones)')],
    examples: [
      'webhook create https://ci.example.com/hook --repo notes --event pushed --ref "refs/heads/*"',
      'webhook create https://audit.example.com/hook --namespace team',
    ],
    async run(invocation, io) {
      const { webhooks, settle } = webhooksOf(invocation, io);
      const result = await settle(webhooks.create({ url: invocation.argument('URL'), ...filtersOf(invocation) }));
      printResult(invocation, io, result, () => details({ ...result, secret: `${result.secret}   (shown only now)` }));
      return 0;
    },
  },
  {
    words: ['webhook', 'list'],
    summary: 'List webhooks of a namespace or of one repo, with the outcome of their last delivery',
    details: 'Without --repo, it lists those of the namespace itself. Each repo may have others.',
    arguments: [],
    options: ownerOptions('The repo whose webhooks they are (default: the namespace itself)'),
    examples: ['webhook list --repo notes', 'webhook list --namespace team --json'],
    async run(invocation, io) {
      const { webhooks, settle } = webhooksOf(invocation, io);
      const rows = await settle(webhooks.list());
      printResult(invocation, io, rows, (screen) =>
        table(
          ['ID', 'STATE', 'EVENTS', 'LAST DELIVERY', 'URL'],
          rows.map((row) => [row.id, stateOf(row), filterOf(row), outcomeOf(row.last_delivery), row.url].map(shown)),
          invocation.text('repo') === undefined
            ? 'The namespace has no webhooks. Those of a repo: add --repo NAME.'
            : 'The repo has no webhooks. Those of its namespace: leave out --repo.',
          screen,
        ),
      );
      return 0;
    },
  },
  {
    words: ['webhook', 'update'],
    summary: 'Change a webhook, pause it, or start it again',
    arguments: [id],
    options: [
      { name: 'target', value: 'URL', description: 'The new URL' },
      ...filterOptions,
      { name: 'state', value: 'STATE', choices: ['active', 'inactive'], description: 'Start or pause it' },
      ...knownOwner,
    ],
    examples: ['webhook update h3k9x1v5b7n2m4q8 --repo notes --state active'],
    async run(invocation, io) {
      const [target, state] = [invocation.text('target'), invocation.text('state')];
      const change = {
        ...(target === undefined ? {} : { url: target }),
        ...filtersOf(invocation),
        ...(state === undefined ? {} : { active: state === 'active' }),
      };
      if (Object.keys(change).length === 0)
        throw new CliError('usage', 'Nothing to change.', 'Give --target, --event, --ref or --state.');
      const { webhooks, settle } = webhooksOf(invocation, io);
      const result = await settle(webhooks.update(invocation.argument('ID'), change), invocation.argument('ID'));
      printResult(invocation, io, result, () => details(result));
      return 0;
    },
  },
  {
    words: ['webhook', 'ping'],
    summary: 'Send a ping to a webhook, and show what became of it',
    arguments: [id],
    options: knownOwner,
    examples: ['webhook ping h3k9x1v5b7n2m4q8 --repo notes'],
    async run(invocation, io) {
      const { webhooks, settle } = webhooksOf(invocation, io);
      const result = await settle(webhooks.ping(invocation.argument('ID')), invocation.argument('ID'));
      printResult(invocation, io, result, () => fields(Object.entries(result)));
      return result.error === null ? 0 : 1;
    },
  },
  {
    words: ['webhook', 'delete'],
    summary: 'Delete a webhook',
    arguments: [id],
    options: knownOwner,
    examples: ['webhook delete h3k9x1v5b7n2m4q8 --repo notes'],
    async run(invocation, io) {
      const webhook = invocation.argument('ID');
      const { webhooks, settle } = webhooksOf(invocation, io);
      await settle(webhooks.delete(webhook), webhook);
      printResult(invocation, io, { id: webhook }, () => `Deleted webhook ${shown(webhook)}.\n`);
      return 0;
    },
  },
];

function details(webhook: Shown & { readonly secret?: string }): string {
  const { events, refs, last_delivery: last, ...others } = webhook;
  return fields(
    Object.entries({
      ...others,
      events: events?.join(', ') ?? 'all',
      refs: refs?.join(', ') ?? 'all',
      last_delivery: outcomeOf(last),
    }),
  );
}

function stateOf({ active, stopped_reason: reason }: Shown): string {
  if (active) return 'active';
  return reason === null ? 'inactive' : `stopped: ${reason}`;
}

function filterOf({ events, refs }: Shown): string {
  return [events?.join(',') ?? 'all', ...(refs ?? [])].join(' ');
}

function outcomeOf(delivery: Shown['last_delivery']): string {
  return delivery === null ? 'none' : `${delivery.at} ${delivery.error ?? delivery.status ?? ''}`;
}
