import { NotEnoughMemoryError, storageTrouble, type StorageTrouble } from '@packhouse/git';
import { HostingError } from './errors.ts';

const storageErrors: Readonly<Record<StorageTrouble, () => HostingError>> = {
  'disk full': () => new HostingError('storageFull'),
  'too many open files': () => new HostingError('overloaded', { retryAfter: 10 }),
  'storage is gone': () => new HostingError('storageGone'),
};

/** What a client is told of a failure for want of memory, disk or descriptors (REPO-174 to REPO-177); undefined: it is none. */
export function capacityError(error: unknown): HostingError | undefined {
  if (!(error instanceof NotEnoughMemoryError)) {
    const trouble = storageTrouble(error);
    return trouble === undefined ? undefined : storageErrors[trouble]();
  }
  const { message, retryAfter } = error;
  if (retryAfter === undefined) return new HostingError('memoryLimit', { text: message });
  return new HostingError('overloaded', { text: message, retryAfter });
}
