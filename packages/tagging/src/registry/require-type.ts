import type { ResourceType } from '../model/resource-types.ts';
import { TaggingError } from '../model/tagging-error.ts';
import type { Registry } from './registry.ts';

/**
 * The type of a name.
 *
 * @param level the one that the route is for; undefined for both.
 * @param pointer to the member or parameter that holds the name.
 * @throws {TaggingError} `resourceType` (TAG-129).
 */
export function requireType(
  registry: Registry,
  name: string,
  level: ResourceType['level'] | undefined,
  pointer: string,
): ResourceType {
  const type = registry.get(name);
  if (type === undefined || (level !== undefined && type.level !== level)) {
    throw new TaggingError('resourceType', { pointer });
  }
  return type;
}
