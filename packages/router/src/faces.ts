import { failureRecord } from '@packhouse/base';
import { createAreas, type AreaOptions, type Areas } from './areas.ts';
import { gitFace, type GitFaceOptions } from './git/face.ts';
import type { Traces } from './tracing/traces.ts';
import { createService, type Service, type ServiceOptions } from './service.ts';

/** Options of {@link createFaces}. */
export interface FaceOptions
  extends
    Omit<AreaOptions, 'report'>,
    Omit<ServiceOptions, 'git' | 'hosting' | 'tags' | 'traces'>,
    Pick<GitFaceOptions, 'pushOptions'> {
  /** Begins spans for requests, commits and packs (REPO-345). Default: no spans. */
  readonly traces?: Traces | undefined;
}

/** The areas of a service with their HTTP faces. */
export interface Faces extends Areas {
  /** Answers any request below the setting `public_url`. Never rejects. */
  readonly fetch: Service;
}

/**
 * Connects the areas of a service and serves them over HTTP: REST, Git, tags and error pages. It starts no background
 * work.
 *
 * @throws {SettingsError} if a setting or a resource type breaks a rule.
 */
export function createFaces(options: FaceOptions): Faces {
  const { engine, pushOptions } = options;
  const log = options.log && harmless(options.log);
  const failed = harmless(options.failed ?? ((error, requestId) => log?.(failureRecord(error, requestId))));
  const { traces } = options;
  const storage = traces ? { ...options.storage, repos: traces.storage(options.storage.repos) } : options.storage;
  const areas = createAreas({ ...options, storage, report: (error) => failed(error, null) });
  const { hosting, tagging, settings } = areas;
  const git = gitFace({ hosting, engine, report: failed, pushOptions, traces });
  const served = { hosting, git, log, failed, tags: tagging && { tagging, settings } };
  return { ...areas, fetch: createService({ ...options, ...served }) };
}

/** Drops errors of a log: there is nowhere to report them, and they must not end a request or the process. */
function harmless<Given extends readonly unknown[]>(receive: (...given: Given) => void): (...given: Given) => void {
  return (...given) => {
    try {
      receive(...given);
    } catch {
      // Dropped.
    }
  };
}
