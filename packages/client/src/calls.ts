import { PackhouseError } from './packhouse-error.ts';
import type { CallOptions } from './types.ts';

/** A reply that openapi-fetch has read. */
interface Replied {
  readonly data?: unknown;
  readonly response: Response;
}

interface Envelope<Result, Info = unknown> {
  readonly success: true;
  readonly result: Result;
  readonly result_info: Info;
}

/** @throws {PackhouseError} if the reply is not of the service. */
async function envelopeOf<Result, Info>(reply: Promise<Replied>): Promise<Envelope<Result, Info>> {
  const { data, response } = await reply;
  if ((data as Partial<Envelope<Result, Info>> | null | undefined)?.success !== true)
    throw new PackhouseError(response, '');
  return data as Envelope<Result, Info>;
}

/** Returns the `result` of a reply in the envelope. */
export async function resultOf<Result>(reply: Promise<Replied>): Promise<Result> {
  return (await envelopeOf<Result, unknown>(reply)).result;
}

/** Waits for the reply of an operation without a result. */
export async function done(reply: Promise<Replied>): Promise<void> {
  if ((await reply).response.status !== 204) await envelopeOf(reply);
}

/** Returns the options of openapi-fetch for a call. */
export function optionsOf({ signal }: CallOptions): CallOptions {
  return signal === undefined ? {} : { signal };
}

/** Yields all items of a list that is paged by a cursor. The first page has the empty one. */
export async function* byCursor<Item>(
  page: (cursor: string) => Promise<Replied>,
): AsyncGenerator<Item, void, undefined> {
  for await (const result of pagesByCursor<readonly Item[]>(page)) yield* result;
}

/** Yields the `result` of each page. */
export async function* pagesByCursor<Result>(
  page: (cursor: string) => Promise<Replied>,
): AsyncGenerator<Result, void, undefined> {
  const seen = new Set<string>();
  for (let cursor = ''; ;) {
    const { result, result_info: info } = await envelopeOf<Result, { readonly cursor?: string | null } | undefined>(
      page(cursor),
    );
    yield result;
    // A service that repeats a cursor must not cause an endless loop. The log of an empty repository has no cursor.
    if (!info?.cursor || seen.has(info.cursor)) return;
    cursor = info.cursor;
    seen.add(cursor);
  }
}

/** Yields all items of a list that is paged by number. */
export async function* byPage<Item>(page: (page: number) => Promise<Replied>): AsyncGenerator<Item, void, undefined> {
  for (let number = 1; ; number++) {
    const { result, result_info: info } = await envelopeOf<readonly Item[], { readonly total_pages: number }>(
      page(number),
    );
    yield* result;
    if (result.length === 0 || number >= info.total_pages) return;
  }
}

/**
 * Returns the reply of an operation that sends bytes; its `body` is a stream.
 *
 * @throws {PackhouseError} if the reply is not of the service, which sends no page in place of a file (REPO-149).
 */
export async function bytesOf(reply: Promise<Replied>): Promise<Response> {
  const { response } = await reply;
  if (response.status === 200 && !response.headers.get('content-type')?.startsWith('text/html')) return response;
  await response.body?.cancel();
  throw new PackhouseError(response, '');
}
