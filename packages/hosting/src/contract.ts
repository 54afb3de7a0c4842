export { testCatalog, type CatalogFixture } from './contract/catalog/catalog.ts';
export { sampleNewRepo } from './contract/catalog/samples.ts';
export { testRepoState, type RepoStateFixture, type RepoStateOptions } from './contract/repo-state/repo-state.ts';
export {
  change,
  everyToken,
  hashOf,
  keptPack,
  oid,
  replacement,
  sampleEvent,
  sampleHead,
  samplePack,
  samplePackId,
  sampleRepoId,
  sampleToken,
  target,
  update,
} from './contract/repo-state/samples.ts';
export { sampleApiToken, testApiTokens, type ApiTokensFixture } from './contract/api-tokens/api-tokens.ts';
export { testSharing, type SharingFixture } from './contract/sharing/sharing.ts';
export { testWorkLeases, type WorkLeasesFixture } from './contract/work-leases/work-leases.ts';
export { SharingRepo } from './contract/sharing/sharing-repo.ts';
export { sampleWebhook } from './contract/webhooks/samples.ts';
export { testWebhooks, type WebhooksFixture } from './contract/webhooks/webhooks.ts';
