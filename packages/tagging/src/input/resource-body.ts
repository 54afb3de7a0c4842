import { isRecord } from '@packhouse/base';
import type { ResourceIdentity } from '../model/tag-store.ts';
import type { Registry } from '../registry/registry.ts';
import { requireType } from '../registry/require-type.ts';
import type { TagScope } from '../model/tagging.ts';
import { TaggingError } from '../model/tagging-error.ts';
import { member, type JsonObject } from './json-object.ts';
import { isResourceText } from './resource-text.ts';

/** Kind of the error for a body of the wrong shape: 1002 for a set, 1015 for a delete (TAG-154, TAG-164). */
export type PayloadError = 'setPayload' | 'deletePayload';

/** Members of a body whose shape has been checked, but not their values. */
export interface ResourceMembers {
  readonly type: string;
  readonly id: string;
  readonly body: JsonObject;
}

/**
 * Checks the shape that bodies of set and delete share: an object with texts for type and id (TAG-175, TAG-177).
 *
 * @throws {TaggingError} of the kind `error`.
 */
export function readResourceMembers(body: unknown, error: PayloadError): ResourceMembers {
  if (!isRecord(body)) throw new TaggingError(error);
  const type = member(body, 'resource_type');
  if (typeof type !== 'string' || type === '') throw new TaggingError(error, { pointer: '/resource_type' });
  return { type, id: requireText(body, 'resource_id', error), body };
}

/**
 * Checks type and parent, and returns the identity of the resource (TAG-148).
 *
 * @throws {TaggingError} `resourceType`, or the kind `error` for the parent.
 */
export function identifyResource(
  registry: Registry,
  { zone }: TagScope,
  { type: name, id, body }: ResourceMembers,
  error: PayloadError,
): ResourceIdentity {
  const { type, parent } = requireType(registry, name, zone === null ? 'account' : 'zone', '/resource_type');
  return { type, zone, parent: parent === undefined ? null : requireText(body, parent, error), id };
}

function requireText(body: JsonObject, name: string, error: PayloadError): string {
  const text = member(body, name);
  if (typeof text !== 'string' || !isResourceText(text)) throw new TaggingError(error, { pointer: `/${name}` });
  return text;
}
