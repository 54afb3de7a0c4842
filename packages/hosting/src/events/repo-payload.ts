import { isoTime } from '@packhouse/base';
import type { RepoRecord } from '../ports/catalog.ts';

/** Returns the fields of a repo that events report (REPO-193). */
export function repoPayload(repo: RepoRecord): Readonly<Record<string, unknown>> {
  return {
    repoId: repo.id,
    defaultBranch: repo.defaultBranch,
    description: repo.description,
    readOnly: repo.readOnly,
    createdAt: isoTime(repo.createdAt),
    updatedAt: isoTime(repo.updatedAt),
    lastPushAt: repo.lastPushAt === null ? null : isoTime(repo.lastPushAt),
  };
}
