export {
  createClient,
  type ApiTokens,
  type Client,
  type ClientOptions,
  type Namespaces,
  type Repos,
} from './client.ts';
export { PackhouseError, type ErrorItem } from './packhouse-error.ts';
export type { Repo } from './repo.ts';
export type { Rest } from './rest.ts';
export type { Resource, ResourceTags, TagChangeOptions, Tags } from './tags.ts';
export type { Webhooks } from './webhooks.ts';
export type { BodyOf, CallOptions, ItemOf, ListQueryOf, OperationId, QueryOf, ResultOf, Schemas } from './types.ts';
export type { components, operations, paths } from './schema.ts';
