/** The tagging API alone, for an app of your own: neither Git nor the rest of the service comes with it. */
export {
  defaultResourceTypes,
  listedZones,
  SettingsError,
  type AuthorizeRequest,
  type Caller,
  type Clock,
  type Grant,
  type HostResource,
  type ResourceDirectory,
  type ResourceType,
  type SharedDirectory,
  type TagStore,
  type TagStores,
  type TaggedResource,
  type TaggingSettings,
  type ZoneDirectory,
} from '@packhouse/hosting/tagging';
export type { FailureRecord } from './log/log.ts';
export { tagging, type TaggingDocumentOptions, type TaggingHandler, type TaggingOptions } from './tags/standalone.ts';
