export { testCatalog, type CatalogFixture } from './contract/catalog.ts';
export { testCollision, type CollisionFixture } from './contract/collision.ts';
export { testPackStore, type PackStoreCapabilities, type PackStoreFixture } from './contract/pack-store.ts';
export { testR2Faults, type R2FaultsFixture } from './contract/r2-faults.ts';
export { testReservations, type ReservationsFixture } from './contract/reservations.ts';
export { testRepoState, type RepoStateFixture } from './contract/repo-state.ts';
export { testShallowRepository, type ShallowRepositoryFixture } from './contract/shallow-repository.ts';
export { itemTable, testSqlDriver, type WithDriver } from './contract/sql-driver.ts';
export { testSqlFaults, type WithDatabase } from './contract/sql-faults.ts';
