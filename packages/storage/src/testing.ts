export {
  FaultyFileSystem,
  FileFault,
  type Fault,
  type FaultyFileSystemOptions,
  type FileOperation,
  type FileRead,
} from './testing/faulty-file-system.ts';
export { BucketError, StrictBucket, strictSizedStream, type StrictBucketOptions } from './testing/strict-bucket.ts';
export { memoryPackReservations } from './packs/reservations.ts';
export { memoryPackHolders } from './packs/holders.ts';
export {
  BucketFaultError,
  FaultyBucket,
  type BucketCall,
  type BucketFault,
  type BucketOperation,
} from './testing/faulty-bucket.ts';
export { strictFakePackStore, type StrictFakeOptions } from './testing/strict-fake.ts';
export { faultyPort, type FaultyPortOptions } from './testing/faulty-port.ts';
export { memoryStores, sqlStores, type PortStores } from './testing/port-stores.ts';
export { Inode, VolatileDisk } from './testing/volatile-disk.ts';
