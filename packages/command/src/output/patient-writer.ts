import { CliError } from './cli-error.ts';

/** Bytes buffered for a slow reader; the writer drops the rest. */
const waitingMax = 4 * 1024 * 1024;

/** Milliseconds between two attempts. */
const retryPause = 20;

/**
 * Writes text to a pipe whose reader may be slow. `write` takes bytes and returns how many it wrote, or throws
 * `EAGAIN`. On Deno, a full pipe throws, and an uncaught error would end the server. Any other error means that the
 * reader has gone, so the text is dropped.
 */
export function patientWriter(write: (bytes: Uint8Array) => number): (text: string) => void {
  const encoder = new TextEncoder();
  const waiting: Uint8Array[] = [];
  let bytes = 0;
  const flush = (): void => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      try {
        const written = write(next);
        bytes -= written;
        if (written < next.length) waiting[0] = next.subarray(written);
        else waiting.shift();
      } catch (error) {
        if (isBusy(error)) {
          setTimeout(flush, retryPause);
          return;
        }
        waiting.length = 0;
        bytes = 0;
      }
    }
  };
  return (text) => {
    if (bytes >= waitingMax) return;
    const isIdle = waiting.length === 0;
    const encoded = encoder.encode(text);
    if (encoded.length === 0) return;
    waiting.push(encoded);
    bytes += encoded.length;
    if (isIdle) flush();
  };
}

/**
 * Writes all bytes of a stream to a pipe in the same way, but waits where {@link patientWriter} buffers. Cancels the
 * stream if the reader has gone.
 *
 * @param target The pipe or file, for the message of a failure.
 * @throws {CliError} for any other failure, such as a full disk behind `>`: the bytes would miss their end.
 */
export async function writeStream(
  stream: ReadableStream<Uint8Array>,
  write: (bytes: Uint8Array) => number,
  target = 'the output',
): Promise<void> {
  for await (const piece of stream) {
    for (let rest = piece; rest.length > 0;) {
      try {
        rest = rest.subarray(write(rest));
      } catch (error) {
        if (hasGone(error)) return;
        if (!isBusy(error)) {
          const message = `Cannot write ${target}: ${(error as Error).message}`;
          throw new CliError('usage', message, 'Write it elsewhere.', { cause: error });
        }
        await new Promise((resolve) => void setTimeout(resolve, retryPause));
      }
    }
  }
}

function hasGone(error: unknown): boolean {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return code === 'EPIPE' || name === 'BrokenPipe';
}

function isBusy(error: unknown): boolean {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return code === 'EAGAIN' || name === 'WouldBlock';
}
