import { failureRecord } from '@packhouse/base';
import { createAreas, type AreaOptions, type Areas } from './areas.ts';
import { gitFace, type GitFaceOptions } from './git/face.ts';
import { createService, type Service, type ServiceOptions } from './service.ts';

/** Options of {@link createFaces}. */
export interface FaceOptions
  extends
    Omit<AreaOptions, 'report'>,
    Omit<ServiceOptions, 'git' | 'hosting' | 'tags'>,
    Pick<GitFaceOptions, 'pushOptions' | 'unheard'> {}

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
  const { log, engine, pushOptions, unheard } = options;
  const { failed = (error, requestId) => log?.(failureRecord(error, requestId)) } = options;
  const areas = createAreas({ ...options, report: (error) => failed(error, null) });
  const { hosting, tagging, settings } = areas;
  const git = gitFace({ hosting, engine, report: failed, pushOptions, unheard });
  return { ...areas, fetch: createService({ ...options, hosting, git, tags: tagging && { tagging, settings } }) };
}
