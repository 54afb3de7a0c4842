import type { Files, TestCommit, TestFile } from './stock-merges.test.util.ts';

/** Random numbers below a bound, the same ones for the same seed. */
export type Random = (bound: number) => number;

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (bound) => {
    // Mulberry32.
    state = (state + 0x6d2b_79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) % bound;
  };
}

type MutableFiles = Map<string, TestFile>;

/** Kinds of edits that a random history has. */
export interface RandomKinds {
  readonly renames: boolean;
  /** Dates of commits that say nothing about their order. */
  readonly skew: boolean;
}

/** Makes a base, and two commits that edited it. */
export function randomSides(random: Random, kinds: RandomKinds): TestCommit[] {
  const base = randomFiles(random);
  const side = (): TestCommit => ({ files: edited(random, base, kinds), parents: [0] });
  return [{ files: base, parents: [] }, side(), side()];
}

function randomFiles(random: Random): Files {
  const files: MutableFiles = new Map();
  for (let i = 2 + random(5); i > 0; i--) addFile(random, files);
  return files;
}

function edited(random: Random, files: Files, { renames }: RandomKinds): Files {
  const changed: MutableFiles = new Map(files);
  for (let i = 1 + random(4); i > 0; i--) {
    const paths = [...changed.keys()];
    const path = paths[random(paths.length)];
    const file = path === undefined ? undefined : changed.get(path);
    const step = random(renames ? 16 : 12);
    if (path === undefined || file === undefined || step === 0) addFile(random, changed);
    else if (step === 1) changed.delete(path);
    else if (step === 2) changed.set(path, { ...file, mode: file.mode === '100644' ? '100755' : '100644' });
    else if (step === 3) changed.set(path, { mode: '120000', content: `target${random(3)}` });
    else if (step === 4) changed.set(path, submodule(random));
    else if (step < 12) changed.set(path, editedFile(random, file));
    else if (step === 15) moveFolder(changed, path, folders[random(folders.length)] as string);
    else {
      const next = freePath(random, changed);
      if (next === undefined) continue;
      changed.delete(path);
      changed.set(next, random(2) === 0 ? file : editedFile(random, file));
    }
  }
  return changed;
}

/** Moves all files of the folder of a path, where that is free. */
function moveFolder(files: MutableFiles, path: string, to: string): void {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  if (folder === '') return;
  for (const [old, file] of [...files].filter(([other]) => other.startsWith(folder))) {
    const next = to + old.slice(folder.length);
    files.delete(old);
    files.set(isFree(next, files) ? next : old, file);
  }
}

const folders = ['', '', 'a/', 'b/', 'a/c/', 'b.d/', 'e/', 'e/c/'];

function addFile(random: Random, files: MutableFiles): void {
  const path = freePath(random, files);
  const content = randomText(random);
  if (path !== undefined) files.set(path, { mode: random(6) === 0 ? '100755' : '100644', content });
}

/** A path that neither lies below a file nor is a folder. */
function freePath(random: Random, files: MutableFiles): string | undefined {
  const names = ['a', 'b', 'f', 'g', 'h', 'x.txt'];
  const path = `${folders[random(folders.length)]}${names[random(names.length)]}`;
  return isFree(path, files) ? path : undefined;
}

function isFree(path: string, files: Files): boolean {
  return ![...files.keys()].some(
    (other) => other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`),
  );
}

function randomText(random: Random): string {
  if (random(12) === 0) return random(2) === 0 ? '' : `bin\0${random(5)}`;
  const alphabet = 2 + random(20);
  const end = random(8) === 0 ? '\r\n' : '\n';
  const lines = Array.from({ length: 1 + random(20) }, () => `line ${random(alphabet)}`);
  return lines.join(end) + (random(6) === 0 ? '' : end);
}

function submodule(random: Random): TestFile {
  return { mode: '160000', content: `${1 + random(3)}`.repeat(40) };
}

function editedFile(random: Random, file: TestFile): TestFile {
  return file.mode === '160000' ? submodule(random) : { ...file, content: editedText(random, file.content) };
}

function editedText(random: Random, text: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(end);
  for (let i = 1 + random(2); i > 0; i--) {
    const added = Array.from({ length: random(3) }, () => `line ${random(20)}`);
    lines.splice(random(lines.length + 1), random(3), ...added);
  }
  return lines.join(end);
}

/** Makes a history of two or three lines that merge each other now and then, and edit files. Dates may be wrong. */
export function randomHistory(random: Random, kinds: RandomKinds): TestCommit[] {
  const commits: TestCommit[] = [];
  const add = (parents: readonly number[], files: Files): number => {
    const time = kinds.skew ? 1000 + random(6) : 1000 + commits.length;
    return commits.push({ parents, files, time }) - 1;
  };
  const filesOf = (commit: number): Files => (commits[commit] as TestCommit).files;
  for (let roots = random(8) === 0 ? 2 : 1; roots > 0; roots--) add([], randomFiles(random));
  let tips = Array.from({ length: 2 + random(2) }, () => random(commits.length));
  for (let round = 2 + random(4); round > 0; round--) {
    const old = tips;
    tips = old.map((own) => {
      const others = random(2) === 0 ? [] : old.filter((other) => other !== own && random(3) > 0);
      const from = [own, ...others];
      return add([...new Set(from)], edited(random, joined(random, from.map(filesOf)), kinds));
    });
  }
  return commits;
}

/** Takes each path from one of several lists of files, as a merge by hand might. */
function joined(random: Random, sides: readonly Files[]): Files {
  const files: MutableFiles = new Map();
  for (const [path, file] of sides.flatMap((side) => [...side])) {
    if (files.has(path) ? random(2) === 0 : isFree(path, files) && random(6) > 0) files.set(path, file);
  }
  return files;
}

/** Puts several histories into one list of commits, for one repository. */
export function commitsOf(histories: readonly (readonly TestCommit[])[]): TestCommit[] {
  const commits: TestCommit[] = [];
  for (const history of histories) {
    const start = commits.length;
    for (const commit of history) {
      commits.push({ ...commit, parents: commit.parents.map((parent) => start + parent) });
    }
  }
  return commits;
}
