import type { ResourceIdentity } from '../model/tag-store.ts';
import { TaggingError } from '../model/tagging-error.ts';

/** Makes the error, with type and id as given (TAG-055, TAG-056, TAG-060). */
export function resourceNotFound({ type, id }: ResourceIdentity, status: 404 | 500): TaggingError {
  return new TaggingError('resourceNotFound', { values: { type, id }, status });
}
