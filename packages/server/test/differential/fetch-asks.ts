/** Random requests for packs as only a hand-written client sends them. */

import type { FetchRequest, Version } from '@packhouse/conformance/tools/fetch-request';
import type { MadeObject } from '@packhouse/conformance/tools/made-objects';
import type { History } from '@packhouse/conformance/tools/random-history';
import { reached } from '@packhouse/conformance/tools/reached-objects';
import fc from 'fast-check';
import { modelPart, type ModelPart } from '../support/filter-model.ts';
import { asked, fetchPicks, pick } from '../support/random-fetches.ts';

const often = <T>(usual: T, others: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });

const picks = fc.record({
  base: fetchPicks,
  mode: fc.constantFrom('', 'multi_ack', 'multi_ack_detailed', 'multi_ack_detailed no-done'),
  band: fc.constantFrom('', 'side-band', 'side-band-64k'),
  quiet: fc.boolean(),
  end: fc.constantFrom('done', 'done', 'flush', 'wants'),
  filter: often<number[]>([], fc.array(fc.nat(), { minLength: 1, maxLength: 3 })),
  wantRefs: often<number[]>([], fc.array(fc.nat(), { minLength: 1, maxLength: 3 })),
  words2: often<string[]>([], fc.subarray(['wait-for-done', 'sideband-all'], { minLength: 1 })),
  unknownHave: fc.constantFrom('none', 'first', 'last'),
  odd: often<string>(
    '',
    fc.constantFrom('unknown want', 'no haves', 'no wants', 'unknown line', 'unknown not', 'both limits'),
  ),
});

type Picks = typeof picks extends fc.Arbitrary<infer Value> ? Value : never;

/** A request for a pack, in its version. */
export interface FetchAsk extends FetchRequest {
  readonly version: Version;
  readonly wants: readonly string[];
  readonly haves: readonly string[];
  readonly shallow: readonly string[];
  readonly depth: readonly string[];
  readonly words: readonly string[];
  /** Parts of the filter. */
  readonly parts: readonly ModelPart[];
  /** Ids of the wants, also of those by ref. */
  readonly wanted: readonly string[];
}

export const fetchAsks: fc.Arbitrary<(history: History, steps: number) => FetchAsk> = fc
  .noBias(picks)
  .map((one) => (history, steps) => askOf(one, history, steps));

function askOf(one: Picks, history: History, steps: number): FetchAsk {
  const { base, odd } = one;
  const { version } = base;
  const from = asked(base, history, steps);
  const parts = one.filter.map((number) => modelPart(number % 5, number >>> 3));
  const texts = parts.map(({ text }) => text);
  const filter = texts.length < 2 ? texts[0] : `combine:${texts.map(encodeURIComponent).join('+')}`;
  const names = [...history.refs.keys(), 'HEAD'];
  const wantRefs = version < 2 ? [] : [...new Set(one.wantRefs.map((number) => pick(names, number)))];
  const words = [
    ...base.words,
    ...(one.quiet ? ['no-progress'] : []),
    ...(version < 2 ? [one.mode, one.band].filter((word) => word !== '') : one.words2),
    ...wantRefs.map((name) => `want-ref ${name}`),
    ...(odd === 'unknown line' && version === 2 ? ['unknown'] : []),
  ];
  const oddDepths: Partial<Record<string, readonly string[]>> = {
    'unknown not': ['deepen-not none'],
    'both limits': ['deepen 2', 'deepen-since 1'],
  };
  const wants = odd === 'no wants' ? [] : odd === 'unknown want' ? [...from.wants, 'e'.repeat(40)] : from.wants;
  const values = wantRefs.map((name) => history.refs.get(name === 'HEAD' ? 'refs/heads/main' : name) as MadeObject);
  return {
    version,
    wants,
    wanted: [...wants, ...values.map(({ oid }) => oid)],
    haves: odd === 'no haves' ? [] : havesOf(from.haves, one.unknownHave),
    shallow: from.depth[0] === fullHistory ? from.shallow.filter((oid) => isVisible(oid, history)) : from.shallow,
    depth: oddDepths[odd] ?? from.depth,
    words,
    parts,
    ...(filter !== undefined && { filter }),
    end: version === 2 && one.end === 'wants' ? 'flush' : one.end,
  };
}

const fullHistory = 'deepen 2147483647';

/** Stock git completes lines that no ref reaches, too (decision 0014). */
function isVisible(oid: string, { refs, objects }: History): boolean {
  return reached(
    [...refs.values()].map((value) => value.oid),
    objects,
  ).has(oid);
}

export const unknownId: string = 'f'.repeat(40);

function havesOf(haves: readonly string[], unknown: Picks['unknownHave']): readonly string[] {
  const known = haves.filter((oid) => oid !== unknownId);
  return unknown === 'first' ? [unknownId, ...known] : unknown === 'last' ? [...known, unknownId] : known;
}
