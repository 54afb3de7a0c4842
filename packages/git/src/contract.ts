export { collected, equalBytes, referenceFraming, sampleBytes } from './contract/bytes.ts';
export { testCollision, type CollisionFixture } from './contract/collision.ts';
export { testPackStore, type PackStoreCapabilities, type PackStoreFixture } from './contract/pack-store.ts';
export { testShallowRepository, type ShallowRepositoryFixture } from './contract/shallow-repository.ts';
export { wholeState, type WholeState } from './contract/whole-state.ts';
