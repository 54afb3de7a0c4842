/** Returns all items of a list, which the SDK requests page by page. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Returns the rejection of a call that must fail. */
export async function failure(call: PromiseLike<unknown>): Promise<unknown> {
  return await call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: unknown) => error,
  );
}
