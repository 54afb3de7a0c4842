/** The errors and resource types, for programs that call a service of tags. */
export { taggingErrors } from './model/tagging-error.ts';
export type { ResourceType } from './model/resource-types.ts';
export { defaultResourceTypes } from './registry/default-resource-types.ts';
