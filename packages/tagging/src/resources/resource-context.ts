import type { Clock } from '@packhouse/base';
import type { TagStores } from '../model/tag-store.ts';
import type { Directories } from '../registry/directories.ts';
import type { Registry } from '../registry/registry.ts';
import type { TaggingSettings } from '../model/tagging-settings.ts';

/** Dependencies of reading and writing the tags of one resource. */
export interface ResourceContext {
  readonly stores: TagStores;
  readonly registry: Registry;
  readonly directories: Directories;
  readonly settings: Pick<TaggingSettings, 'tags_not_found' | 'account_tags_max' | 'resource_tags_max'>;
  readonly clock: Clock;
}
