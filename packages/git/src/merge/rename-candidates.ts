import type { PathInfo, Side, Version } from './path-info.ts';

/** A path that one side removed, or added. */
export interface Candidate {
  readonly path: string;
  readonly version: Version;
}

/** The reason to look where a removed path went: its content changed on the other side, or only its folder matters. */
export type Relevance = 'content' | 'location';

/** The reason to look where a removed folder went: its own files, those of a folder in it, or none. */
export type FolderRelevance = 'self' | 'ancestor' | 'none';

/** Paths that one side removed and added. */
export interface SideCandidates {
  readonly removed: Candidate[];
  readonly added: Candidate[];
  /** By removed path; a path without a reason is only compared by id. */
  readonly relevance: Map<string, Relevance>;
  readonly removedFolders: Map<string, FolderRelevance>;
}

/** Collects the paths that renames may explain, with the reasons of Git's ort to look at them. */
export class RenameCandidates {
  readonly sides: Readonly<Record<Side, SideCandidates>> = { 1: newSide(), 2: newSide() };

  /** Tests if any rename could change the result of the merge. */
  get areRelevant(): boolean {
    return this.sides[1].relevance.size > 0 || this.sides[2].relevance.size > 0;
  }

  /**
   * Visits a path in `folder`, before the paths below it. `located` is the mask of the folder: 0, the bit of the side
   * that kept a folder which the other one removed, or 7 once that side has added a file to it, so that the way of the
   * folder counts. Returns the mask for the paths below.
   */
  visit(path: string, folder: string, info: PathInfo, located: number): number {
    const { files, folders, versions } = info;
    const mask = located !== 7 && (folders === 3 || folders === 5) ? folders & ~1 : located;
    if (folders === 1 || folders === 3 || folders === 5) {
      const relevance = mask === 7 ? 'ancestor' : 'none';
      if ((folders & 2) === 0) this.sides[1].removedFolders.set(path, relevance);
      if ((folders & 4) === 0) this.sides[2].removedFolders.set(path, relevance);
    }
    if (mask === 7 && (files === 2 || files === 4)) {
      this.sides[files === 2 ? 2 : 1].removedFolders.set(folder, 'self');
    }
    if (files === 0 || files === 7) return mask;
    for (const side of [1, 2] as const) {
      const { removed, added, relevance } = this.sides[side];
      const [base, own] = [versions[0], versions[side]];
      if (base === undefined && own !== undefined) added.push({ path, version: own });
      if (base === undefined || own !== undefined) continue;
      removed.push({ path, version: base });
      if ((info.matching & files) === 0) relevance.set(path, 'content');
      else if (mask === 7) relevance.set(path, 'location');
    }
    return mask;
  }
}

function newSide(): SideCandidates {
  return { removed: [], added: [], relevance: new Map(), removedFolders: new Map() };
}
