import type { Extensions, ExtensionValue } from '../catalogue/entry.ts';

/** ASCII letters, digits and `_`, so that no format needs to quote a name. */
const nameForm = /^x_\w{1,100}$/;

/**
 * Returns the members that an own code adds (ERR-035). Drops those that some format cannot hold: names other than `x_`
 * and 1 to 100 letters, digits or `_`, and values other than texts, booleans and integers up to 2^53 - 1.
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
