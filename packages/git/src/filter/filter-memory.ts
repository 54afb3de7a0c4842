import type { ObjectFilter } from './object-filter.ts';
import { sparseWalkMemory } from './sparse-walk.ts';

/** Bytes an object takes while its places are looked at. */
const placedPerObject = 10;

/** Bytes that a plan takes on top for a filter, in a repository of so many objects. */
export function filterMemory({ placed }: ObjectFilter, objects: number): number {
  let bytes = placed.length > 0 ? placedPerObject * objects : 0;
  for (const part of placed) if (part.kind === 'sparse') bytes = bytes + part.matcher.memory;
  return placed.some(({ kind }) => kind === 'sparse') ? bytes + sparseWalkMemory : bytes;
}
