import { readFileSync } from 'node:fs';

/** A replacement in one file. */
export interface Patch {
  /** Path from the root of the repository. */
  readonly file: string;
  /** A text that occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** @throws {Error} if a text to find does not occur exactly once. */
export function patchedSource(file: URL, patch: readonly Patch[]): string {
  let source = readFileSync(file, 'utf8');
  for (const one of patch) {
    const parts = source.split(one.find);
    if (parts.length !== 2) throw new Error(`${one.file} has ${parts.length - 1} times: ${one.find}`);
    source = parts.join(one.replace);
  }
  return source;
}
