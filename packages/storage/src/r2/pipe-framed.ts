import { StorageError } from '@packhouse/git';

/**
 * Pipes a body into `writable`, which is neither closed nor aborted.
 *
 * @throws {StorageError} if the body fails; the error of `writable` if that one does and shows it. A native stream of
 * Workers shows only to the next write that its reader left: then it is a `StorageError` with that as its cause.
 */
export async function pipeFramed(
  body: ReadableStream<Uint8Array>,
  writable: WritableStream<Uint8Array>,
): Promise<void> {
  try {
    await body.pipeTo(writable, { preventClose: true, preventAbort: true });
  } catch (error) {
    if (hasFailed(writable)) throw error;
    throw new StorageError('The body of a pack broke off', { cause: error });
  }
}

function hasFailed(writable: WritableStream<Uint8Array>): boolean {
  const writer = writable.getWriter();
  try {
    return writer.desiredSize === null;
  } finally {
    writer.releaseLock();
  }
}
