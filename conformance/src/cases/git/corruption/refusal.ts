/** A repo that receives corrupt packs, and the state that refused pushes must not change. */

import type { Context, TestRepo } from '../../../core/context.ts';
import { refsOf } from '../../../tools/hosted-objects.ts';
import { blob, change, commit, pack, packEntry, packOfEntries, tree } from '../../../tools/made-objects.ts';
import { noise } from '../../../tools/noise.ts';
import { expectReport, main, refused, taken } from '../../../tools/push-reports.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { set, type Command } from '../../../tools/wire-client.ts';

export const base: ReturnType<typeof change> = change('base');
const filler = blob(noise(3000, 1));
const firstTree = tree({ file: base.file, filler });
const first = commit('first', firstTree, [base]);
/** The commit that the pushes bring. */
export const next: ReturnType<typeof change> = change('next', first);

/** Its entries: commit, tree, file. */
export const entries: readonly [Buffer, Buffer, Buffer] = [
  packEntry(1, next.body),
  packEntry(2, next.root.body),
  packEntry(3, next.file.body),
];
/** The valid pack that every corrupt one is derived from. */
export const good: Buffer = packOfEntries(entries);

export const commands: readonly Command[] = [set(main, next, first), set('refs/heads/other', next)];

export const offsetDelta = 6;
export const referenceDelta = 7;

export function repoToCorrupt(t: Context): Promise<TestRepo> {
  return repoWith(t, { [main]: first }, [first, firstTree, filler, ...base.all]);
}

/** Returns the valid pack with one more entry, and the offset of that entry. */
export function withEntry(entry: Uint8Array): { bytes: Buffer; offset: number } {
  const [head, ...rest] = entries;
  return { bytes: packOfEntries([head, entry, ...rest]), offset: 12 + head.length };
}

/** Returns the valid pack with other bytes at a position. */
export function changed(at: number, bytes: Uint8Array | string): Buffer {
  const copy = Buffer.from(good);
  copy.set(Buffer.from(bytes as Uint8Array), at);
  return copy;
}

export interface Refusal {
  /** A description of the fault, for failure messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The text after `unpack`. */
  readonly reason: string;
}

/** Expects that each push is refused as a whole and changes nothing, and that the valid pack is still accepted. */
export async function expectRefusals(t: Context, refusals: Iterable<Refusal>): Promise<void> {
  const repo = await repoToCorrupt(t);
  const before = await stateOf(t, repo);
  const refs = commands.map(({ ref }) => ref.toString());
  for (const { name, bytes, reason } of refusals) {
    const expected = [`unpack ${reason}`, ...refs.map((ref) => `ng ${ref} unpacker error`)];
    await expectReport(repo, commands, bytes, expected, `Refused as a whole: ${name}.`);
  }
  same(await stateOf(t, repo), before, 'Refs and record are as before.');
  // Git does not forbid to keep the sound objects of a broken pack.
  if (repo.foreign !== true) {
    const missing = refused('refs/heads/kept', 'missing necessary objects');
    await expectReport(repo, [set('refs/heads/kept', next)], pack(), missing, 'Nothing of the packs was kept.');
  }
  await expectReport(repo, commands, good, taken(...refs), 'The sound pack is taken after all.');
}

/** Returns the state of a repo that clients see. */
export async function stateOf(t: Context, repo: TestRepo): Promise<unknown> {
  return { record: await t.record(repo), refs: await refsOf(repo) };
}
