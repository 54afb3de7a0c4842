import type { Webhooks, WebhookOwner } from '@packhouse/hosting';
import type { Call, Operation } from './operations.ts';
import { repoOf } from './repo-of.ts';

/** Which webhooks the operations of one owner are about. */
interface OwnerPaths {
  /** Follows the name of an operation. */
  readonly suffix: 'Namespace' | 'Repo';
  readonly whose: string;
  readonly path: string;
  readonly ownerOf: (call: Call) => WebhookOwner;
}

const owners: readonly OwnerPaths[] = [
  {
    suffix: 'Namespace',
    whose: 'a namespace',
    path: '/namespaces/{namespace}/webhooks',
    ownerOf: ({ account, path }) => ({ account, namespace: path('namespace'), repo: undefined }),
  },
  {
    suffix: 'Repo',
    whose: 'a repository',
    path: '/namespaces/{namespace}/repos/{repo_name}/webhooks',
    ownerOf: repoOf,
  },
];

/** The routes of webhooks (REPO-375). All need permission to edit, since a URL may be as good as a password. */
export const webhookOperations: readonly Operation[] = owners.flatMap(operationsOf);

function operationsOf({ suffix, whose, path, ownerOf }: OwnerPaths): readonly Operation[] {
  const one = `${path}/{webhook_id}`;
  const id = (call: Call): string => call.path('webhook_id');
  const edit = { permission: 'edit' } as const;
  return [
    {
      id: `create${suffix}Webhook`,
      summary: `Create a webhook of ${whose}; its secret is shown only here`,
      method: 'post',
      path,
      ...edit,
      status: 201,
      body: 'createWebhook',
      result: 'createWebhookResult',
      run: async ({ webhooks }, call) => ({ result: await webhooks.create(ownerOf(call), call.body), secret: true }),
    },
    {
      id: `list${suffix}Webhooks`,
      summary: `List the webhooks of ${whose}, oldest first`,
      method: 'get',
      path,
      ...edit,
      status: 200,
      result: ['webhook'],
      run: async ({ webhooks }, call) => ({ result: await webhooks.list(ownerOf(call)) }),
    },
    {
      id: `get${suffix}Webhook`,
      summary: `Get a webhook of ${whose}, with the outcome of its last delivery`,
      method: 'get',
      path: one,
      ...edit,
      status: 200,
      result: 'webhook',
      run: async ({ webhooks }, call) => ({ result: await webhooks.get(ownerOf(call), id(call)) }),
    },
    {
      id: `update${suffix}Webhook`,
      summary: `Change a webhook of ${whose}, or make it active again`,
      method: 'patch',
      path: one,
      ...edit,
      status: 200,
      body: 'updateWebhook',
      result: 'webhook',
      run: async ({ webhooks }, call) => ({ result: await webhooks.update(ownerOf(call), id(call), call.body) }),
    },
    {
      id: `delete${suffix}Webhook`,
      summary: `Delete a webhook of ${whose}`,
      method: 'delete',
      path: one,
      ...edit,
      status: 204,
      run: async ({ webhooks }, call) => {
        await webhooks.delete(ownerOf(call), id(call));
        return {};
      },
    },
    {
      id: `ping${suffix}Webhook`,
      summary: `Send a ping to a webhook of ${whose}, and return the outcome`,
      method: 'post',
      path: `${one}/ping`,
      ...edit,
      status: 200,
      result: 'webhookDelivery',
      run: async ({ webhooks }, call) => ({ result: await ping(webhooks, ownerOf(call), call) }),
    },
  ];
}

function ping(webhooks: Webhooks, owner: WebhookOwner, call: Call) {
  return webhooks.ping(owner, call.path('webhook_id'), call.work.signal);
}
