import type { ResourceType } from '../model/resource-types.ts';
import { TaggingError } from '../model/tagging-error.ts';
import type { Registry } from './registry.ts';

/**
 * Finds a type by name.
 *
 * @param level level of the route; undefined for both.
 * @param pointer member or parameter with the name.
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
