import type { Files, TestCommit } from './stock-merges.test.util.ts';

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

type MutableFiles = Map<string, { mode: string; content: string }>;

/** Kinds of edits that a random history has. */
export interface RandomKinds {
  readonly renames: boolean;
}

/** Makes three commits: a base, and two sides that edited it. */
export function randomSides(random: Random, kinds: RandomKinds): Files[] {
  const base: MutableFiles = new Map();
  for (let i = 2 + random(5); i > 0; i--) addFile(random, base);
  return [base, edited(random, base, kinds), edited(random, base, kinds)];
}

export function edited(random: Random, files: Files, { renames }: RandomKinds): Files {
  const changed: MutableFiles = new Map(files);
  for (let i = 1 + random(4); i > 0; i--) {
    const paths = [...changed.keys()];
    const path = paths[random(paths.length)];
    const file = path === undefined ? undefined : changed.get(path);
    const step = random(renames ? 14 : 11);
    if (path === undefined || file === undefined || step === 0) addFile(random, changed);
    else if (step === 1) changed.delete(path);
    else if (step === 2) changed.set(path, { ...file, mode: file.mode === '100644' ? '100755' : '100644' });
    else if (step === 3) changed.set(path, { mode: '120000', content: `target${random(3)}` });
    else if (step < 11) changed.set(path, { ...file, content: editedText(random, file.content) });
    else {
      const next = freePath(random, changed);
      if (next === undefined) continue;
      changed.delete(path);
      changed.set(next, random(2) === 0 ? file : { ...file, content: editedText(random, file.content) });
    }
  }
  return changed;
}

const folders = ['', '', 'a/', 'b/', 'a/c/', 'b.d/'];

function addFile(random: Random, files: MutableFiles): void {
  const path = freePath(random, files);
  const content = randomText(random);
  if (path !== undefined) files.set(path, { mode: random(6) === 0 ? '100755' : '100644', content });
}

/** A path that neither lies below a file nor is a folder. */
function freePath(random: Random, files: MutableFiles): string | undefined {
  const names = ['a', 'b', 'f', 'g', 'h', 'x.txt'];
  const path = `${folders[random(folders.length)]}${names[random(names.length)]}`;
  const isTaken = [...files.keys()].some(
    (other) => other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`),
  );
  return isTaken ? undefined : path;
}

function randomText(random: Random): string {
  if (random(12) === 0) return random(2) === 0 ? '' : `bin\0${random(5)}`;
  const alphabet = 2 + random(20);
  const end = random(8) === 0 ? '\r\n' : '\n';
  const lines = Array.from({ length: 1 + random(20) }, () => `line ${random(alphabet)}`);
  return lines.join(end) + (random(6) === 0 ? '' : end);
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

/** Puts several threes of sides into one list of commits, for one repository. */
export function commitsOf(threes: readonly (readonly Files[])[]): TestCommit[] {
  return threes.flatMap((sides, i) => sides.map((files, side) => ({ files, parents: side === 0 ? [] : [3 * i] })));
}
