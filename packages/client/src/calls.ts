import type { CallOptions } from './types.ts';

/** A reply that openapi-fetch has read. */
interface Replied {
  readonly data?: unknown;
  readonly response: Response;
}

/** Returns the `result` of a reply in the envelope. */
export async function resultOf<Result>(reply: Promise<Replied>): Promise<Result> {
  return ((await reply).data as { readonly result: Result }).result;
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
  for (let cursor = ''; ;) {
    const { result, result_info: info } = (await page(cursor)).data as {
      readonly result: Result;
      readonly result_info?: { readonly cursor?: string | null };
    };
    yield result;
    // A service that repeats a cursor must not cause an endless loop. The log of an empty repository has no cursor.
    if (!info?.cursor || info.cursor === cursor) return;
    cursor = info.cursor;
  }
}

/** Yields all items of a list that is paged by number. */
export async function* byPage<Item>(page: (page: number) => Promise<Replied>): AsyncGenerator<Item, void, undefined> {
  for (let number = 1; ; number++) {
    const { result, result_info: info } = (await page(number)).data as {
      readonly result: readonly Item[];
      readonly result_info: { readonly total_pages: number };
    };
    yield* result;
    if (result.length === 0 || number >= info.total_pages) return;
  }
}

/** Returns the reply of an operation that sends bytes; its `body` is a stream. */
export async function bytesOf(reply: Promise<Replied>): Promise<Response> {
  return (await reply).response;
}
