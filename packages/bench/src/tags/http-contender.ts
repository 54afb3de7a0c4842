import { type TaggedResource, type TagStores, type TagSummary, tagging } from '@packhouse/tagging';
import { resourceText, summaryText, type TagContender } from './contender.ts';
import type { MeasuredList } from './lists.ts';
import { account, nameOf, numberOf, type SampleResource } from './sample-resources.ts';

/** The part of an API reply that is read here. */
export interface ListReply {
  readonly result: readonly unknown[];
  readonly result_info: { readonly cursor: string | null };
}

export interface HttpContender extends TagContender {
  /** Requests and parses one page of a list. */
  reply(list: MeasuredList, cursor: string): Promise<ListReply>;
}

const origin = 'http://bench.example';

const pathOf = (list: MeasuredList): string => {
  const base = `${origin}/v4/accounts/${account}/tags`;
  if (list.kind === 'resources') return `${base}/resources${list.query}`;
  return list.kind === 'values' ? `${base}/values/${list.key}` : `${base}/${list.kind}`;
};

/** Calls the API in this process, from `Request` to the text of its `Response`, without sockets. */
export const httpContender = (stores: TagStores): HttpContender => {
  const permission = 'Tag Write';
  const handle = tagging({
    store: stores,
    authorize: async () => ({
      credential: 'bench',
      grants: [{ account, permission }, ...['zone-a', 'zone-b', 'zone-c'].map((zone) => ({ zone, permission }))],
    }),
    directory: { find: async ({ id }) => ({ name: nameOf(numberOf(id)) }) },
    zones: { accountOf: async (zone) => (zone.startsWith('zone-') ? account : undefined) },
    rate_tags: { requests: 1_000_000_000, seconds: 1 },
    account_tags_max: 1_000_000_000,
  });
  const send = async (url: string, init?: RequestInit): Promise<string> => {
    const response = await handle(new Request(url, init));
    const text = (await response?.text()) ?? '';
    if (response?.status !== 200) throw new Error(`${url}: ${response?.status ?? 'no reply'} ${text}`);
    return text;
  };
  const urlOf = (list: MeasuredList, cursor: string): string => {
    const path = pathOf(list);
    return cursor === '' ? path : `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`;
  };
  return {
    name: 'HTTP',
    reply: async (list, cursor) => JSON.parse(await send(urlOf(list, cursor))) as ListReply,
    page(list, start) {
      const url = urlOf(list, start?.cursor ?? '');
      return () => send(url);
    },

    async read({ kind }, page) {
      const { result } = JSON.parse(page as string) as ListReply;
      if (kind === 'resources')
        return (result as readonly TaggedResource[]).map(({ type, id, zone_id, name, tags }) =>
          resourceText({ type, zone: zone_id ?? null, id }, name, tags),
        );
      return kind === 'summary' ? (result as readonly TagSummary[]).map(summaryText) : (result as readonly string[]);
    },

    get(sample) {
      const { type, id } = sample.resource;
      const url = `${baseOf(sample)}?resource_type=${type}&resource_id=${id}`;
      return () => send(url);
    },

    set(sample) {
      const { type, id } = sample.resource;
      let turn = 0;
      return () =>
        send(baseOf(sample), {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            resource_type: type,
            resource_id: id,
            tags: { ...sample.tags, release: String(turn++) },
          }),
        });
    },
  };
};

const baseOf = ({ resource: { zone } }: SampleResource): string =>
  `${origin}/v4/${zone === null ? `accounts/${account}` : `zones/${zone}`}/tags`;
