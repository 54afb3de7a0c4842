import { kindName, kindNumber, type KindNumber, type ObjectId, type RefTarget } from '@packhouse/git';

/**
 * Formats a target as text: 40 digits, the kind number, and 40 more digits if the ref peels to something else. Empty for
 * null.
 */
export function formatTarget(value: RefTarget | null): string {
  return value === null ? '' : `${value.oid}${kindNumber[value.kind]}${value.peeled ?? ''}`;
}

export function parseTarget(text: string): RefTarget | null {
  if (text === '') return null;
  return {
    oid: text.slice(0, 40) as ObjectId,
    kind: kindName((text.charCodeAt(40) - 48) as KindNumber),
    peeled: text.length > 41 ? (text.slice(41) as ObjectId) : null,
  };
}
