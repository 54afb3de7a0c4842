/** Random requests for packs, with depths and clients of any kind, over a random history. */

import type { MadeObject } from '@packhouse/conformance/tools/made-objects';
import { steadyTime, type History } from '@packhouse/conformance/tools/random-history';
import { linksOf } from '@packhouse/conformance/tools/reached-objects';
import fc from 'fast-check';
import { parentsOf, type ToldClient } from './history-model.ts';

/** A random fetch. Its numbers select items of a history of any size. */
export const fetchPicks = fc.record({
  wants: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  wantsRefs: fc.boolean(),
  haves: fc.array(fc.nat(), { maxLength: 3 }),
  shallow: fc.array(fc.nat(), { maxLength: 5 }),
  limit: fc.constantFrom('none', 'count', 'relative', 'everything', 'since', 'not', 'both'),
  count: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 60 })),
  since: fc.nat(),
  not: fc.array(fc.nat(), { minLength: 1, maxLength: 2 }),
  version: fc.constantFrom(0 as const, 1 as const, 2 as const),
  words: fc.subarray(['thin-pack', 'ofs-delta', 'include-tag']),
  isDone: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
});

export type FetchPicks = typeof fetchPicks extends fc.Arbitrary<infer Value> ? Value : never;

/** The request, as lines. */
export interface Asked {
  readonly wants: readonly string[];
  readonly haves: readonly string[];
  readonly shallow: readonly string[];
  readonly depth: readonly string[];
  readonly words: readonly string[];
  readonly end: 'done' | 'flush';
}

/** Names by which users know a ref. */
function nameOf(ref: string, number: number): string {
  const starts = ['', 'refs/', ref.startsWith('refs/tags/') ? 'refs/tags/' : 'refs/heads/'];
  const start = starts[number % starts.length] as string;
  return ref.startsWith(start) ? ref.slice(start.length) : ref;
}

function depthLines(picks: FetchPicks, { refs }: History, steps: number): string[] {
  const { limit, count, since } = picks;
  const not = picks.not.map((number) => `deepen-not ${nameOf(pick([...refs.keys()], number), number)}`);
  const dated = `deepen-since ${steadyTime(since % steps)}`;
  if (limit === 'none') return [];
  if (limit === 'count') return [`deepen ${count}`];
  if (limit === 'relative') return [`deepen ${count}`, 'deepen-relative'];
  if (limit === 'everything') return ['deepen 2147483647'];
  if (limit === 'since') return [dated];
  return limit === 'not' ? not : [dated, ...not];
}

export function pick<T>(from: readonly T[], number: number): T {
  return from[number % from.length] as T;
}

export function asked(picks: FetchPicks, history: History, steps: number): Asked {
  const all = [...history.objects.values()];
  const commits = all.filter(({ kind }) => kind === 'commit').map(({ oid }) => oid);
  const nodes = all.filter(({ kind }) => kind === 'commit' || kind === 'tag').map(({ oid }) => oid);
  const values = [...history.refs.values()].map(({ oid }) => oid);
  const { wantsRefs, words } = picks;
  return {
    wants: picks.wants.map((number) => {
      if (wantsRefs) return pick(values, number);
      return number % 8 === 0 ? pick(all, number >>> 3).oid : pick(nodes, number >>> 3);
    }),
    haves: [...picks.haves.map((number) => pick(nodes, number)), 'f'.repeat(40)],
    shallow: [...new Set(picks.shallow.map((number) => pick(commits, number)))],
    depth: depthLines(picks, history, steps),
    words: ['no-progress', ...words, ...(picks.version < 2 ? ['multi_ack_detailed', 'no-done'] : [])],
    end: picks.isDone ? 'done' : 'flush',
  };
}

export function toldBy(boundary: readonly string[] | undefined): ToldClient['told'] {
  const of = (word: string): string[] =>
    (boundary ?? []).filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  return { shallow: of('shallow'), unshallow: of('unshallow') };
}

/**
 * GIT-074 in terms of GIT-072, which is the rule since Git 2.54. `own` are commits whose parents the repository does
 * not have. If no want reaches a line of the client, a depth that no history has cuts nothing.
 */
export function absoluteDepth(
  { wants, shallow, depth }: Pick<Asked, 'wants' | 'shallow' | 'depth'>,
  { objects }: History,
  own: readonly string[] = [],
): readonly string[] {
  if (!depth.includes('deepen-relative')) return depth;
  const known = wants.flatMap((oid) => objects.get(oid) ?? []);
  let level = known.map((object) => peeled(object, objects).oid);
  const seen = new Set<string>();
  for (let commits = 1; level.length > 0; commits++) {
    if (level.some((oid) => shallow.includes(oid))) {
      return [`deepen ${commits + Number((depth[0] as string).slice('deepen '.length))}`];
    }
    for (const oid of level) seen.add(oid);
    const next = level.flatMap((oid) => (own.includes(oid) ? [] : parentsOf(oid, objects)));
    level = [...new Set(next)].filter((oid) => !seen.has(oid));
  }
  return ['deepen 2147483646'];
}

function peeled(object: MadeObject, objects: History['objects']): MadeObject {
  return object.kind === 'tag'
    ? peeled(objects.get((linksOf(object)[0] as { oid: string }).oid) as MadeObject, objects)
    : object;
}
