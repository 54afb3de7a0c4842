import type { Fields } from '@packhouse/base';
import type { RelativeName } from './open-relative.ts';

/** A revision of a repo, or of another one of its fork family. */
export interface RelativeRevision {
  /** Undefined: the repo that is asked. */
  readonly relative: RelativeName | undefined;
  readonly revision: string;
}

/**
 * Reads a revision that may name its repo (REPO-276): as a text `revision`, `repo:revision` or
 * `namespace/repo:revision`, or as an object with `namespace`, `repo` and `ref`, by default `HEAD`. A colon is in no
 * revision, so a text has one meaning.
 */
export function readRelativeRevision(fields: Fields, field: string): RelativeRevision {
  if (typeof fields.value(field) === 'object') {
    const members = fields.object(field, true);
    const namespace = members?.optionalString('namespace');
    const repo = members?.string('repo') ?? '';
    return { relative: { namespace, repo }, revision: members?.optionalString('ref') ?? 'HEAD' };
  }
  const text = fields.string(field);
  const [, namespace, repo, revision] = /^(?:([^/:]+)\/)?([^/:]+):(.+)$/s.exec(text) ?? [];
  if (repo === undefined || revision === undefined) return { relative: undefined, revision: text };
  return { relative: { namespace, repo }, revision };
}
