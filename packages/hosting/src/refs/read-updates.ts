import {
  parseObjectId,
  parseRefName,
  zeroObjectId,
  type ObjectId,
  type RefName,
  type WantedUpdate,
} from '@packhouse/git';
import type { Fields } from '@packhouse/base';

/** Updates in one request (LIM-025). */
export const updatesMax = 1000;

/** Reads the body of one update, whose new value is required (REPO-244). */
export function readUpdate(name: RefName, fields: Fields): WantedUpdate {
  const update = { name, ...valuesOf(fields) };
  if (update.new === null) fields.fail('new', 'Invalid input: expected string, received null');
  fields.check();
  return update;
}

/** Reads the parameter of a deletion (REPO-244). */
export function readDeletion(name: RefName, fields: Fields): WantedUpdate {
  const old = fields.has('old') ? hashOf(fields, 'old') : undefined;
  fields.check();
  return { name, old, new: null, force: true };
}

/** Reads the list of updates of a request (REPO-244). */
export function readUpdates(fields: Fields): readonly WantedUpdate[] {
  const seen = new Set<string>();
  const updates = fields.items('updates', updatesMax).map((item): WantedUpdate => {
    const text = item.string('name');
    const name = parseRefName(text);
    if (name === undefined && typeof item.value('name') === 'string') item.fail('name', 'Invalid ref name');
    if (seen.has(text)) item.fail('name', 'The list has two updates of this ref');
    seen.add(text);
    return { name: name as RefName, ...valuesOf(item) };
  });
  if (updates.length === 0 && Array.isArray(fields.value('updates'))) {
    fields.fail('updates', 'Too small: expected array to have >=1 items');
  }
  fields.check();
  return updates;
}

function valuesOf(fields: Fields): Omit<WantedUpdate, 'name'> {
  const old = fields.has('old') ? hashOrNull(fields, 'old') : undefined;
  const value = fields.has('new') ? hashOrNull(fields, 'new') : hashOf(fields, 'new');
  return { old, new: value, force: fields.boolean('force', false) };
}

/** Reads a hash, or a `null` that is there. */
function hashOrNull(fields: Fields, field: string): ObjectId | null {
  return fields.value(field) === undefined ? null : hashOf(fields, field);
}

function hashOf(fields: Fields, field: string): ObjectId {
  const text = fields.string(field);
  const oid = parseObjectId(text);
  const isWrong = oid === undefined || oid === zeroObjectId;
  if (isWrong && typeof fields.value(field) === 'string') fields.fail(field, 'Invalid SHA-1 hash');
  return oid as ObjectId;
}
