/** Does as the promise does, but resolves to undefined after so many milliseconds. */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isLate = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, milliseconds, undefined)));
  try {
    return await Promise.race([promise, isLate]);
  } finally {
    clearTimeout(timer);
  }
}
