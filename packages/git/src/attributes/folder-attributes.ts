import { PathMatcher } from '../patterns/path-matcher.ts';
import type { PathPattern } from '../patterns/path-pattern.ts';
import type { Steps } from '../work/loops.ts';
import { parseAttributes, type AttributeState, type AttributeValue } from './parse-attributes.ts';

/** The attributes of a path that are specified; null: some line makes the attribute unspecified. */
export type Attributes = ReadonlyMap<string, AttributeValue>;

type States = readonly AttributeState[];

/** One `.gitattributes` file, and how far its patterns have matched the way to a folder. */
interface Level {
  readonly matcher: PathMatcher;
  readonly steps: Uint32Array;
  /** By pattern, the states that its line sets. */
  readonly states: readonly States[];
}

/** The attributes found last, since most files of a folder match the same lines. */
interface Found {
  /** The numbers of the lines of all files, and -1 behind those of each file. */
  lines: readonly number[];
  attributes: Attributes;
}

const binary: States = ['diff', 'merge', 'text'].map((name) => ({ name, value: false }));
const none: Attributes = new Map();

/** Entries that each state of a line counts for. */
const entriesAState = 8;

/**
 * The attributes of the entries of one folder (gitattributes(5)): from the files of the folder and of those above. Later
 * lines win, and deeper files. Never changes.
 */
export class FolderAttributes {
  /** The root of a tree, without a file. It knows the macro `binary`. */
  static readonly root: FolderAttributes = new FolderAttributes([], new Map([['binary', binary]]));

  /** The deepest file first. */
  readonly #levels: readonly Level[];
  readonly #macros: ReadonlyMap<string, States>;
  /** Shared by folders that have the same files. */
  readonly #last: Found;

  private constructor(
    levels: readonly Level[],
    macros: ReadonlyMap<string, States>,
    last: Found = { lines: [], attributes: none },
  ) {
    this.#levels = levels;
    this.#macros = macros;
    this.#last = last;
  }

  /** Returns the same folder with the `.gitattributes` that it has. Only the one of the root defines macros. */
  *withFile(file: Uint8Array, isRoot: boolean): Steps<FolderAttributes> {
    const patterns: PathPattern[] = [];
    const states: States[] = [];
    const macros = new Map(this.#macros);
    for (const line of parseAttributes(file, isRoot)) {
      yield entriesAState * (4 + line.states.length);
      if (typeof line.subject === 'string') {
        macros.set(line.subject, line.states);
      } else {
        patterns.push(line.subject);
        states.push(line.states);
      }
    }
    const matcher = new PathMatcher(patterns);
    const level = { matcher, steps: matcher.start, states };
    return new FolderAttributes(patterns.length === 0 ? this.#levels : [level, ...this.#levels], macros);
  }

  /** Returns the attributes of the entry `name[start..end)`. Git looks up folders and submodules as folders. */
  *of(name: Uint8Array, start: number, end: number, isFolder: boolean): Steps<Attributes> {
    if (this.#levels.length === 0) return none;
    const lines: number[] = [];
    for (const { matcher, steps } of this.#levels) {
      const behind = yield* matcher.run(steps, name, start, end);
      for (const line of matcher.matches(behind, isFolder)) lines.push(line);
      lines.push(-1);
    }
    const last = this.#last;
    if (lines.length !== last.lines.length || lines.some((line, i) => line !== last.lines[i])) {
      last.attributes = yield* this.#attributesOf(lines);
      last.lines = lines;
    }
    return last.attributes;
  }

  *#attributesOf(lines: readonly number[]): Steps<Attributes> {
    const found = new Map<string, AttributeValue>();
    let level = 0;
    for (const line of lines) {
      if (line < 0) level++;
      else yield* this.#fill(found, this.#levels[level]?.states[line] as States);
    }
    return found;
  }

  /** Returns the folder `name[start..end)` in this one, without its own file. */
  *enter(name: Uint8Array, start: number, end: number): Steps<FolderAttributes> {
    if (this.#levels.length === 0) return this;
    const levels: Level[] = [];
    for (const level of this.#levels) {
      const steps = yield* level.matcher.run(level.steps, name, start, end);
      levels.push({ ...level, steps: level.matcher.inside(steps) });
    }
    return new FolderAttributes(levels, this.#macros, this.#last);
  }

  /** Adds the states of a line, the last one first: what was found before wins. A macro stands for its own states. */
  *#fill(found: Map<string, AttributeValue>, line: States): Steps<void> {
    const open = [{ states: line, next: line.length - 1 }];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const state = top.states[top.next--];
      if (state === undefined) {
        open.pop();
        continue;
      }
      if (found.has(state.name)) continue;
      yield entriesAState;
      found.set(state.name, state.value);
      const macro = state.value === true ? this.#macros.get(state.name) : undefined;
      if (macro !== undefined) open.push({ states: macro, next: macro.length - 1 });
    }
  }
}
