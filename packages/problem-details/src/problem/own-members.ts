import type { Extensions, ExtensionValue } from '../catalogue/entry.ts';

/** Letters of ASCII, digits and `_`, so that a name needs no quotes in any format. */
const nameForm = /^x_\w{1,100}$/;

/**
 * The members that an own code adds (ERR-035), without those that some format cannot hold: names that are not `x_` and 1
 * to 100 letters, digits or `_`, and values that are neither a text, a boolean nor a whole number up to 2^53 - 1.
 */
export function ownMembers(extensions: Extensions): Extensions {
  const members: Record<`x_${string}`, ExtensionValue> = {};
  for (const [name, value] of Object.entries<unknown>(extensions)) {
    if (!isName(name)) continue;
    if (typeof value === 'string' || typeof value === 'boolean' || isWhole(value)) members[name] = value;
  }
  return members;
}

function isName(name: string): name is `x_${string}` {
  return nameForm.test(name);
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
