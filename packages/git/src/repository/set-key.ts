import type { PackRecord } from '../ports/repo-state.ts';

/**
 * What a graph set is cached by: its newest pack, and the place of that in the manifest. A fork shares packs with its
 * parent, in other places: what came in while one was checked, and what it holds twice, is found by these.
 */
export function setKey({ id, position, after }: PackRecord): string {
  return `${id} ${position} ${after}`;
}

/** Whether a pack of a set is that of a manifest, in the same place. */
export function isSetOf(a: PackRecord, b: PackRecord): boolean {
  return a.id === b.id && a.position === b.position && a.after === b.after;
}
