import type { Values } from './area.ts';

/** A limit on the work of one input, so that running it does not take too long. */
export interface Effort {
  /** Bytes of the objects in all repositories together. */
  readonly bytes: number;
  /** Objects in all repositories together. */
  readonly objects: number;
  /** Ref updates in all repositories together. */
  readonly refs: number;
  readonly repositories: number;
}

const mebibyte = 1024 * 1024;

/** Enough to block the event loop for more than 250 ms wherever the engine does not yield. */
export const wholeEffort: Effort = { bytes: 96 * mebibyte, objects: 20_000, refs: 20_000, repositories: 60 };

/** For most inputs: their shape matters, and many more of them can be tried. */
export const smallEffort: Effort = { bytes: 256 * 1024, objects: 250, refs: 250, repositories: 3 };

/** Reduces the numbers of a push to an effort. `pushes`: how often the same pack is sent to each repository. */
export function cutPush(values: Values, effort: Effort, pushes = 1): Values {
  const value = (name: string): number => values[name] ?? 0;
  const repositories = Math.min(Math.max(1, value('parallel')), effort.repositories);
  const copies = repositories * pushes;
  const size = Math.min(value('size'), effort.bytes);
  const secondSize = Math.min(value('secondSize'), effort.bytes);
  const objectsOf = (bytes: number): number =>
    Math.ceil(Math.min(effort.objects, effort.bytes / Math.max(bytes, 1)) / copies);
  const each = Math.ceil(effort.refs / copies);
  return {
    ...values,
    size,
    count: Math.min(value('count'), objectsOf(size)),
    secondSize,
    secondCount: Math.min(value('secondCount'), objectsOf(secondSize)),
    refs: Math.min(value('refs'), each),
    shallow: Math.min(value('shallow'), each),
    parallel: Math.min(value('parallel'), effort.repositories),
  };
}
