/** Random pushes as only a hand-written client sends them. */

import { deltaPack } from '@packhouse/conformance/tools/delta-pack';
import type { MadeObject } from '@packhouse/conformance/tools/made-objects';
import type { History } from '@packhouse/conformance/tools/random-history';
import { reached } from '@packhouse/conformance/tools/reached-objects';
import { flush, packet } from '@packhouse/conformance/tools/wire-client';
import fc from 'fast-check';
import { pick } from '../support/random-fetches.ts';

export const noValue: string = '0'.repeat(40);

/** Two of them cannot exist at once. */
const names = ['refs/heads/main', 'refs/heads/a', 'refs/heads/a/b', 'refs/heads/c', 'refs/tags/t', 'refs/odd/x'];
const badNames = ['refs/x', 'refs/heads/..', 'refs/heads/a~b', 'main', 'refs/heads/x.lock'];

const capabilities = [
  ['report-status', 'report-status-v2', 'side-band-64k', 'quiet', 'atomic', 'push-options'],
  ['ofs-delta', 'delete-refs', 'object-format=sha1', 'agent=test/1', 'session-id=abc', 'unknown'],
].flat();

const often = <T>(usual: T, others: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });

const command = fc.record({
  name: fc.nat(),
  isNameGood: often(true, fc.constant(false)),
  does: fc.constantFrom('set', 'set', 'set', 'delete', 'nothing'),
  value: fc.nat(),
  old: often('current', fc.constantFrom('other', 'unknown', 'none')),
});

const picks = fc.record({
  commands: fc.array(command, { minLength: 1, maxLength: 4 }),
  words: fc.subarray(capabilities),
  options: fc.array(fc.constantFrom('one', 'two=2', 'größe', ''), { maxLength: 3 }),
  isLean: fc.boolean(),
  pack: often('whole', fc.constantFrom('none', 'broken', 'lacking')),
});

type Picks = typeof picks extends fc.Arbitrary<infer Value> ? Value : never;

export interface PushedCommand {
  readonly ref: string;
  readonly old: string;
  readonly new: string;
}

export interface PushAsk {
  readonly words: readonly string[];
  readonly commands: readonly PushedCommand[];
  /** True if the pack lacks an object that the repository does not have either. */
  readonly isLacking: boolean;
  readonly body: Buffer;
}

/** The contents of a repository before a push. */
export interface PushState {
  readonly history: History;
  readonly refs: ReadonlyMap<string, string>;
  /** Ids of all that came with pushes so far, refused ones too. */
  readonly sent: Set<string>;
}

/** Pushes to a state; each adds what it sends to `sent`. */
export const pushAsks: fc.Arbitrary<(state: PushState) => PushAsk> = fc
  .noBias(picks)
  .map((one) => (state) => askOf(one, state));

function askOf(one: Picks, state: PushState): PushAsk {
  const { words } = one;
  const commands = one.commands.map((from) => commandOf(from, state));
  const lines = commands.map(({ old, new: value, ref }, i) =>
    packet(`${old} ${value} ${ref}${i === 0 ? `\0 ${words.join(' ')}` : ''}`),
  );
  const options = words.includes('push-options') ? [...one.options.map((option) => packet(option)), flush] : [];
  const { pack, isLacking } = packOf(one, commands, state);
  const isPackSent = commands.some(({ new: value }) => value !== noValue) && one.pack !== 'none';
  return {
    words,
    commands,
    isLacking: isPackSent && isLacking,
    body: Buffer.concat([...lines, flush, ...options, ...(isPackSent ? [pack] : [])]),
  };
}

function commandOf(
  { name, isNameGood, does, value, old }: Picks['commands'][number],
  { history, refs }: PushState,
): PushedCommand {
  const all = [...history.objects.values()].map(({ oid }) => oid);
  const commits = all.filter((oid) => history.objects.get(oid)?.kind === 'commit');
  const ref = pick(isNameGood ? names : badNames, name);
  const current = refs.get(ref) ?? noValue;
  const isAny = value % 4 === 0 || !ref.startsWith('refs/heads/');
  const next = { set: pick(isAny ? all : commits, value >>> 2), delete: noValue, nothing: current };
  const before = { current, other: pick(commits, value), unknown: 'f'.repeat(40), none: noValue };
  return { ref, old: before[old as keyof typeof before], new: next[does as keyof typeof next] };
}

function packOf(
  { isLean, pack: form }: Picks,
  commands: readonly PushedCommand[],
  { history: { objects }, refs, sent }: PushState,
): { pack: Buffer; isLacking: boolean } {
  const values = commands.map((one) => one.new).filter((oid) => objects.has(oid));
  const ids = new Set(reached(values, objects));
  if (isLean) for (const oid of reached(refs.values(), objects)) ids.delete(oid);
  // Stock git keeps what came with a refused push, so only what it never got is surely lacking.
  const lacking = form === 'lacking' ? [...ids].find((oid) => !sent.has(oid)) : undefined;
  if (lacking !== undefined) ids.delete(lacking);
  for (const oid of ids) sent.add(oid);
  const list = [...ids].map((oid) => objects.get(oid) as MadeObject);
  const pack = deltaPack(list, []);
  if (form === 'broken') pack[pack.length - 1] = (pack.at(-1) as number) ^ 1;
  return { pack, isLacking: lacking !== undefined };
}
