import { parseTagKey, parseTagValue } from '@packhouse/tag-filter';
import type { ResourceIdentity } from '../model/tag-store.ts';
import { isResourceText } from '../input/resource-text.ts';

// Clients can forge cursors, so a position is validated before a store sees it.

/** Parses the position of a key from a cursor; `undefined` if invalid. */
export function readKeyPlace(value: unknown): string | undefined {
  return typeof value === 'string' ? parseTagKey(value) : undefined;
}

/** Parses the position of a tag value from a cursor; `undefined` if invalid. */
export function readValuePlace(value: unknown): string | undefined {
  return typeof value === 'string' ? parseTagValue(value) : undefined;
}

/** Writes a position for a cursor. It is short, so that few positions are too long for a cursor. */
export function writeResourcePlace({ type, zone, parent, id }: ResourceIdentity): readonly (string | null)[] {
  return [type, zone, parent, id];
}

/** Inverse of {@link writeResourcePlace}; `undefined` if invalid. */
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
