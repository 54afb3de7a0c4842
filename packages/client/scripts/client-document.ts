import { createHash } from 'node:crypto';
import { packhouse } from '@packhouse/router';
import { memoryStorage } from '@packhouse/storage';

/** An OpenAPI document, as far as this reads it. */
export interface Described {
  readonly paths: Readonly<Record<string, object>>;
}

const account = '/v4/accounts/{account_id}';
/** Paths below the base of a request, by the end of the base. */
const areas = [`${account}/repos`, `${account}`] as const;

/**
 * Returns the OpenAPI document of a service with default settings, without the base of its paths: the client makes the
 * base from its options.
 */
export async function clientDocument(): Promise<Described> {
  const service = packhouse({ storage: memoryStorage(), authorize: async () => undefined });
  const reply = await service.fetch(new Request('http://127.0.0.1:8787/openapi.json'));
  const { paths, ...rest } = (await reply.json()) as Described;
  await service.close();
  const kept = Object.entries(paths).flatMap(([path, item]) => {
    const base = areas.find((one) => path.startsWith(`${one}/`));
    return base === undefined ? [] : [[path.slice(base.length), item] as const];
  });
  const text = JSON.stringify({ ...rest, paths: Object.fromEntries(kept) });
  return JSON.parse(text, (_, value: unknown) =>
    Array.isArray(value) ? value.filter((one) => one?.in !== 'path' || one.name !== 'account_id') : value,
  ) as Described;
}

export function digestOf(document: object): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('hex').slice(0, 16);
}
