/** A database or a bucket of the service cannot be reached, or is overloaded. A later try may succeed. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable';
}
