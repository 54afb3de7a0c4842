import { NotEnoughMemoryError, storageTrouble, type StorageTrouble } from '@packhouse/git';
import { HostingError } from '@packhouse/base';

const storageErrors: Readonly<Record<StorageTrouble, () => HostingError>> = {
  'disk full': () => new HostingError('storageFull'),
  'too many open files': () => new HostingError('overloaded', { retryAfter: 10 }),
  'storage is gone': () => new HostingError('storageGone'),
  'storage is unavailable': () => new HostingError('storageUnavailable', { retryAfter: 5 }),
};

/**
 * The error for a client when memory, disk or descriptors are used up (REPO-174 to REPO-177),
 * or the storage cannot be reached (REPO-334). Undefined: another failure.
 */
export function capacityError(error: unknown): HostingError | undefined {
  const trouble = storageTrouble(error);
  return trouble === undefined ? memoryError(error) : storageErrors[trouble]();
}

/** The error for a client when memory is used up, which is not logged. Undefined: another failure. */
export function memoryError(error: unknown): HostingError | undefined {
  if (!(error instanceof NotEnoughMemoryError)) return undefined;
  const { message, retryAfter } = error;
  if (retryAfter === undefined) return new HostingError('memoryLimit', { text: message });
  return new HostingError('overloaded', { text: message, retryAfter });
}
