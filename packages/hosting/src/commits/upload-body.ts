import { bodyTooLarge, HostingError } from '@packhouse/base';

/** The content of a blob that a client sends. */
export interface UploadBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** Its number of bytes, if the client said it. */
  readonly size: number | undefined;
}

/** The bytes of an upload, which must end as they were announced. */
export interface BoundedBytes {
  /** @throws {HostingError} `bodyTooLarge`, or `invalidInput` if it breaks off or has another size. */
  read(): AsyncGenerator<Uint8Array, void, undefined>;
  /** Cancels what was not read. Idempotent. */
  end(): Promise<void>;
}

function broken(reason = 'the body does not have the announced size'): HostingError {
  return new HostingError('invalidInput', { text: `Invalid input: ${reason}` });
}

/** Bounds an upload by `max` bytes, and by the size that it announces. */
export function boundedBytes({ stream, size }: UploadBody, max: number): BoundedBytes {
  const reader = stream.getReader();
  return {
    async *read() {
      let taken = 0;
      for (;;) {
        const { done, value } = await reader.read().catch((): never => {
          throw broken();
        });
        if (done) break;
        if (!((value as unknown) instanceof Uint8Array)) throw broken('a piece of the body is no Uint8Array');
        taken += value.length;
        if (taken > max) throw bodyTooLarge(max);
        if (taken > (size ?? max)) throw broken();
        yield value;
      }
      if (size !== undefined && taken !== size) throw broken();
    },
    end: async () => void (await reader.cancel().catch(() => {})),
  };
}
