import type { ResourceIdentity } from '../model/tag-store.ts';
import type { Registry } from '../registry/registry.ts';
import { requireType } from '../registry/require-type.ts';
import type { TagScope } from '../model/tagging.ts';
import { TaggingError } from '../model/tagging-error.ts';
import { invalidParameter, Parameters } from './parameters.ts';
import { isResourceText } from './resource-text.ts';

/**
 * Parses the query of a GET to the identity of a resource.
 *
 * @throws {TaggingError} in the order of TAG-151.
 */
export function readResourceQuery(registry: Registry, { zone }: TagScope, query: string): ResourceIdentity {
  const given = new Parameters(query, ['resource_type', 'resource_id']);
  const missing = (['resource_type', 'resource_id'] as const).filter((name) => isMissing(given.raw(name)));
  if (missing.length > 0) {
    throw new TaggingError('resourceMissing', missing.length === 1 ? { pointer: `/${missing[0]}` } : {});
  }
  given.requireSingle('resource_type');
  given.requireSingle('resource_id');
  const typeName = given.raw('resource_type')[0];
  // The name of the parent depends on the type. A repeated parent is reported before a type of the wrong level.
  const parentName = typeName === undefined ? undefined : registry.get(typeName)?.parent;
  const parents = new Parameters(query, parentName === undefined ? [] : [parentName]);
  if (parentName !== undefined) parents.requireSingle(parentName);

  const level = zone === null ? 'account' : 'zone';
  const type = requireType(registry, given.one('resource_type') ?? '', level, '/resource_type');
  const id = requireText('resource_id', given.one('resource_id'));
  const parent = parentName === undefined ? null : requireText(parentName, parents.one(parentName));
  return { type: type.type, zone, parent, id };
}

function isMissing(values: readonly (string | undefined)[]): boolean {
  return values.length === 0 || values.includes('');
}

function requireText(name: string, text: string | undefined): string {
  if (text === undefined || !isResourceText(text)) throw invalidParameter(name);
  return text;
}
