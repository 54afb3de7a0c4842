import { checkTagKey, checkTagValue } from '@packhouse/tag-filter';
import type { ResourceIdentity } from '../../ports/tag-store.ts';
import { isJsonObject, member } from '../input/json-object.ts';
import { isResourceText } from '../input/resource-text.ts';

// Places come back in cursors, which anyone can make up: a store must be asked for nothing that it cannot hold.

export function isKeyPlace(value: unknown): value is string {
  return typeof value === 'string' && checkTagKey(value) === undefined;
}

export function isValuePlace(value: unknown): value is string {
  return typeof value === 'string' && checkTagValue(value) === undefined;
}

export function isResourcePlace(value: unknown): value is ResourceIdentity {
  if (!isJsonObject(value)) return false;
  const [type, id] = [member(value, 'type'), member(value, 'id')];
  const others = [member(value, 'zone'), member(value, 'parent')];
  return [type, id].every(isText) && others.every((text) => text === null || isText(text));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && isResourceText(value);
}
