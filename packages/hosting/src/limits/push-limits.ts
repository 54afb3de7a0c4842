import type { PushRules } from '@packhouse/git';
import type { Settings } from '../settings/settings.ts';

/** The settings that bound one push, an import included. */
export type PushLimits = Pick<
  PushRules,
  | 'blobMax'
  | 'objectMax'
  | 'commitMax'
  | 'commitParentsMax'
  | 'inflatedMax'
  | 'graphMax'
  | 'memoryMax'
  | 'chainDepthMax'
  | 'chainMax'
  | 'repoStorageMax'
>;

/** Translates settings to the limits of the engine for a push (section 12 of `git.md`). */
export function pushLimits(settings: Settings): PushLimits {
  return {
    blobMax: settings.blob_max,
    objectMax: settings.object_max,
    commitMax: settings.commit_max,
    commitParentsMax: settings.commit_parents_max,
    inflatedMax: settings.push_inflated_max,
    graphMax: settings.push_graph_max,
    memoryMax: settings.request_memory_max,
    chainDepthMax: settings.delta_depth_max,
    chainMax: settings.delta_chain_max,
    repoStorageMax: settings.repo_storage_max,
  };
}
