import type { Clock } from '@packhouse/base';
import type { TagStores } from '../model/tag-store.ts';
import { listedZones } from '../admission/listed-zones.ts';
import { createTagging, type TaggingServiceOptions } from './create-tagging.ts';
import { defaultResourceTypes } from '../registry/default-resource-types.ts';
import { createRegistry } from '../registry/registry.ts';
import { simpleTagStores } from '../contract/simple-tag-stores.ts';
import type { Tagging, TagScope } from '../model/tagging.ts';
import { resolveTaggingSettings, type TaggingSettings } from '../model/tagging-settings.ts';

/** Scopes of the routes of account `a1`, and of its zone `z1`. */
export const inAccount: TagScope = { account: 'a1', zone: null };
export const inZone: TagScope = { account: 'a1', zone: 'z1' };

/** Options that tests choose. {@link testTagging} supplies the rest. */
export type TestOptions = Partial<Omit<TaggingServiceOptions, 'settings' | 'clock'>> & {
  readonly settings?: Partial<TaggingSettings>;
  readonly clock?: Clock;
  readonly stores?: TagStores;
};

/** Tagging with the default types, where every caller may do everything in `a1`. */
export function testTagging({ settings = {}, ...options }: TestOptions = {}): Tagging {
  return createTagging({
    stores: simpleTagStores(),
    authorize: async () => ({ credential: 'c', grants: [{ account: 'a1', permission: 'Tag Write' }] }),
    registry: createRegistry(defaultResourceTypes, []),
    zones: listedZones({ z1: 'a1' }),
    clock: { now: () => 1_000 },
    ...options,
    settings: resolveTaggingSettings(settings),
  });
}

/** Parses the JSON of a set or delete body. */
export function json(text: string): unknown {
  return JSON.parse(text) as unknown;
}
