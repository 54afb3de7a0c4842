import { seededRandom } from './random.ts';
import { editedLines, newLines } from './text.ts';

/** The content of a generated repository. The same sizes give the same object ids on every machine. */
export interface HistorySizes {
  readonly seed: number;
  /** Commits on the main line; side branches add more. */
  readonly commits: number;
  /** Text files of the first commit. */
  readonly files: number;
  /** Files of incompressible bytes, spread over the history. */
  readonly largeFiles: number;
  /** Bytes of each large file. */
  readonly largeFileBytes: number;
}

/** The default of the bench: more than 20,000 objects in about 60 MB. */
export const benchHistory: HistorySizes = {
  seed: 2026,
  commits: 2600,
  files: 400,
  largeFiles: 12,
  largeFileBytes: 3_000_000,
};

/** The default of tests: a few hundred objects with one of everything. */
export const smallHistory: HistorySizes = { seed: 7, commits: 75, files: 12, largeFiles: 1, largeFileBytes: 20_000 };

const firstSecond = 1_700_000_000;

/**
 * Returns a stream for `git fast-import`. It has a main line with small edits, renames, deletes and large files, and
 * side branches of a few commits, most of them merged and some left open. It also has annotated and lightweight tags.
 */
export function* historyStream(sizes: HistorySizes): Generator<Buffer | string> {
  const random = seededRandom(sizes.seed);
  const files = new Map<string, string[]>();
  let mark = 0;
  let seconds = firstSecond;
  let names = 0;

  const newPath = (): string => `src/area-${random.below(12)}/part-${random.below(8)}/file-${names++}.txt`;
  const blob = function* (content: Buffer | string): Generator<Buffer | string, number> {
    const bytes = Buffer.from(content);
    yield `blob\nmark :${++mark}\ndata ${bytes.length}\n`;
    yield bytes;
    yield '\n';
    return mark;
  };
  const commit = function* (ref: string, message: string, from: number, changes: string[]): Generator<string, number> {
    seconds += 60;
    const person = `Bench <bench@example.test> ${seconds} +0000`;
    yield `commit ${ref}\nmark :${++mark}\nauthor ${person}\ncommitter ${person}\n`;
    yield `data ${Buffer.byteLength(message)}\n${message}\n`;
    if (from > 0) yield `from :${from}\n`;
    yield `${changes.join('\n')}\n`;
    return mark;
  };
  const writeText = function* (path: string, lines: string[]): Generator<Buffer | string, string> {
    return `M 100644 :${yield* blob(`${lines.join('\n')}\n`)} ${path}`;
  };
  /** Writes a side branch in a separate folder, so that its merge is the main line plus that folder. */
  const sideBranch = function* (number: number, from: number): Generator<Buffer | string, [number, string[]]> {
    const merged = new Map<string, string>();
    let tip = from;
    for (let step = 1 + random.below(4); step > 0; step--) {
      const path = `topics/topic-${number}/note-${random.below(3)}.txt`;
      const change = yield* writeText(path, newLines(random));
      merged.set(path, change);
      tip = yield* commit(`refs/heads/topic-${number}`, `Topic ${number}, step ${step}\n`, tip, [change]);
    }
    return [tip, [...merged.values()]];
  };

  const first: string[] = [];
  while (files.size < sizes.files) {
    const path = newPath();
    const lines = newLines(random);
    files.set(path, lines);
    first.push(yield* writeText(path, lines));
  }
  let tip = yield* commit('refs/heads/main', 'Start\n', 0, first);

  const largeEvery = Math.max(1, Math.floor(sizes.commits / (sizes.largeFiles + 1)));
  for (let number = 1; number < sizes.commits; number++) {
    const changes: string[] = [];
    if (number % largeEvery === 0 && number / largeEvery <= sizes.largeFiles) {
      changes.push(`M 100644 :${yield* blob(random.bytes(sizes.largeFileBytes))} assets/large-${number}.bin`);
    }
    if (number % 25 === 0) {
      const from = random.pick([...files.keys()]);
      const to = newPath();
      files.set(to, files.get(from) ?? []);
      files.delete(from);
      changes.push(`R ${from} ${to}`);
    }
    if (number % 40 === 0) {
      const path = newPath();
      const lines = newLines(random);
      files.set(path, lines);
      changes.push(yield* writeText(path, lines));
    }
    const paths = [...files.keys()];
    for (let edits = 1 + random.below(2); edits > 0; edits--) {
      const path = random.pick(paths);
      const lines = editedLines(random, files.get(path) ?? []);
      files.set(path, lines);
      changes.push(yield* writeText(path, lines));
    }
    if (number % 15 === 0) {
      const [side, sideChanges] = yield* sideBranch(number, tip);
      if (number % 60 !== 0) {
        yield `reset refs/heads/topic-${number}\nfrom 0000000000000000000000000000000000000000\n\n`;
        changes.unshift(`merge :${side}`, ...sideChanges);
      }
    }
    tip = yield* commit('refs/heads/main', `Change ${number}\n`, tip, changes);
    if (number % 50 === 0) {
      const person = `Bench <bench@example.test> ${seconds} +0000`;
      yield `tag v0.${number}\nfrom :${tip}\ntagger ${person}\ndata 8\nRelease\n\n`;
    }
    if (number % 130 === 0) yield `reset refs/tags/light-${number}\nfrom :${tip}\n\n`;
  }
}
