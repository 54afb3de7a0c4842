import type { ObjectFilter } from './object-filter.ts';
import { sparseWalkMemory } from './sparse-walk.ts';

/** Memory in bytes for one object while the filter checks its paths. */
const placedPerObject = 10;

/** Additional memory in bytes for a plan with a filter, in a repository with this number of objects. */
export function filterMemory({ placed }: ObjectFilter, objects: number): number {
  let bytes = placed.length > 0 ? placedPerObject * objects : 0;
  for (const part of placed) if (part.kind === 'sparse') bytes = bytes + part.matcher.memory;
  return placed.some(({ kind }) => kind === 'sparse') ? bytes + sparseWalkMemory : bytes;
}
