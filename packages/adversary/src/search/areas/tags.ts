import type { HostileReply } from '@packhouse/fixtures/hostile';
import type { LocalService } from '../../service/local-service.ts';
import { openTemporaryService } from '../../service/temporary-service.ts';
import { urlMax, type Area, type Values } from '../inputs/area.ts';

const resources = 1_000;
const operations = ['resources', 'keys', 'values/k0', 'summary', 'set', 'get', 'remove'] as const;
/** Letters that become longer, shorter or stay the same when case is folded. */
const letters = ['a', 'ß', 'İ', 'ŉ', '𐐀', 'K'];

/** Sends requests to the tagging API, in an account that is full of tags. */
export const tagsArea: Area = {
  name: 'tags',
  fields: {
    operation: { max: operations.length - 1 },
    filters: { max: 20 },
    items: { max: 10 },
    length: { max: 1_024, byMagnitude: true },
    letter: { max: letters.length - 1 },
    form: { max: 3 },
    ids: { max: 50 },
    name: { max: 256, byMagnitude: true },
    tags: { max: 10_000, byMagnitude: true },
    depth: { max: 500_000, byMagnitude: true },
    flags: { max: 3 },
  },
  async open() {
    const service = openTemporaryService({ settings: { account_tags_max: 1_000_000 } });
    for (let i = 0; i < resources; i++) {
      const tags = Object.fromEntries(
        Array.from({ length: 10 }, (_, k) => [`k${k}`, `${'ß'.repeat(200)}${i % (k + 2)}`]),
      );
      await send(service, 'PUT', '', JSON.stringify({ resource_type: 'worker', resource_id: `r${i}`, tags }));
    }
    return {
      service,
      trial(values) {
        const { method, path, body } = tagRequest(values);
        return Promise.resolve({
          sent: path.length + (body?.length ?? 0),
          run: async () => [await send(service, method, path, body)],
        });
      },
    };
  },
};

function send(service: LocalService, method: Method, path: string, body?: string): Promise<HostileReply> {
  const headers = { authorization: `Bearer ${service.apiToken}`, 'content-type': 'application/json' };
  const url = `${service.origin}/v4/accounts/local/tags${path}`;
  return service.send(method, url, headers, body === undefined ? undefined : Buffer.from(body));
}

type Method = 'GET' | 'PUT' | 'DELETE';

function tagRequest(values: Values): { method: Method; path: string; body?: string } {
  const value = (name: string): number => values[name] ?? 0;
  const operation = operations[value('operation')] ?? 'resources';
  const text = (letters[value('letter')] as string).repeat(value('length'));
  const resource = `resource_type=worker&resource_id=r1`;
  if (operation === 'get') return { method: 'GET', path: `?${resource}` };
  if (operation === 'set' || operation === 'remove') {
    const tags = Object.fromEntries(
      Array.from({ length: value('tags') }, (_, i) => [`k${i.toString(36)}`, text.slice(0, 100)]),
    );
    const deep = '['.repeat(value('depth')) + ']'.repeat(value('depth'));
    const more = value('depth') > 0 ? `,"more":${deep}` : '';
    const body = JSON.stringify({ resource_type: 'worker', resource_id: 'set', tags });
    return { method: operation === 'set' ? 'PUT' : 'DELETE', path: '', body: `${body.slice(0, -1)}${more}}` };
  }
  const filters = Array.from({ length: value('filters') }, (_, i) => {
    const items = Array.from({ length: Math.max(1, value('items')) }, (_, j) => encodeURIComponent(`${text}${j}`)).join(
      ',',
    );
    return `tag=${[`k${i % 10}`, `!k${i % 10}`, `k${i % 10}=${items}`, `k${i % 10}!=${items}`][value('form')]}`;
  });
  const query = [
    ...filters,
    ...Array.from({ length: value('ids') }, (_, i) => `id=r${i}`),
    ...(value('name') > 0
      ? [`name=${encodeURIComponent((letters[value('letter')] as string).repeat(value('name')))}`]
      : []),
    ...((value('flags') & 1) === 0 ? [] : ['case_insensitive=true']),
    ...((value('flags') & 2) === 0 ? [] : ['type=worker']),
  ];
  let path = `/${operation}?`;
  for (const part of query) if (path.length + part.length < urlMax) path += `${part}&`;
  return { method: 'GET', path: path.slice(0, -1) };
}
