import { parseTagKey, parseTagValue } from '@packhouse/tag-filter';
import type { ResourceIdentity } from '../model/tag-store.ts';
import { isResourceText } from '../input/resource-text.ts';

// Anyone can make up a cursor: a store must be asked for nothing that it cannot hold.

/** The place of a key in a list that came in a cursor; `undefined` for what is none. */
export function readKeyPlace(value: unknown): string | undefined {
  return typeof value === 'string' ? parseTagKey(value) : undefined;
}

/** As {@link readKeyPlace}, for a value of a tag. */
export function readValuePlace(value: unknown): string | undefined {
  return typeof value === 'string' ? parseTagValue(value) : undefined;
}

/** As short as can be, so that few are too long for a cursor. */
export function writeResourcePlace({ type, zone, parent, id }: ResourceIdentity): readonly (string | null)[] {
  return [type, zone, parent, id];
}

/** The inverse of {@link writeResourcePlace}; `undefined` for what it does not write. */
export function readResourcePlace(value: unknown): ResourceIdentity | undefined {
  if (!Array.isArray(value) || value.length !== 4) return undefined;
  const [type, zone, parent, id] = value as unknown[];
  return isText(type) && isTextOrNull(zone) && isTextOrNull(parent) && isText(id)
    ? { type, zone, parent, id }
    : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && isResourceText(value);
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value);
}
