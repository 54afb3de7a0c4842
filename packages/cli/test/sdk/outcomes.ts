/** All items of a list, page for page as the SDK asks for them. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** What a call that must fail rejects with. */
export async function failure(call: PromiseLike<unknown>): Promise<unknown> {
  return await call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: unknown) => error,
  );
}
