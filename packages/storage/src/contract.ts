export { bucketStorage, type BucketRepo } from './contract/bucket-storage.ts';
export { Dying } from './contract/dying.ts';
export { testEventQueues, type EventQueuesFixture } from './contract/event-queues.ts';
export { testMaintainedState, type MaintainedStateFixture } from './contract/maintained-state.ts';
export { testPackHolders, type PackHoldersFixture } from './contract/pack-holders.ts';
export { testBucketFaults, type BucketFaultsFixture } from './contract/bucket-faults.ts';
export { testPreparedRecords, type PreparedRecordsFixture } from './contract/prepared-records.ts';
export { testReservations, type ReservationsFixture } from './contract/reservations.ts';
export { testSqlFaults, type WithDatabase } from './contract/sql-faults.ts';
