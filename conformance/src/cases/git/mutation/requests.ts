/** Valid pushes and fetches of one repo, which the cases then change. */

import assert from 'node:assert/strict';
import type { Context, TestRepo } from '../../../core/context.ts';
import { deltaPack } from '../../../tools/delta-pack.ts';
import { expectIntact, refsOf } from '../../../tools/hosted-objects.ts';
import { blob, commit, noObject, pack, tag, tree, type MadeObject } from '../../../tools/made-objects.ts';
import { noise } from '../../../tools/noise.ts';
import { main } from '../../../tools/push-reports.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import {
  commandBody,
  fetchBody,
  post,
  pushBody,
  readPackets,
  remove,
  reportOf,
  set,
  uploadBody,
  type Command,
} from '../../../tools/wire-client.ts';
import { unpackResult } from './unpack-results.ts';

export interface Push {
  readonly commands: readonly Command[];
  readonly pack: Buffer;
  readonly capabilities: string;
}

export interface Fetch {
  readonly version: 0 | 1 | 2;
  readonly body: Buffer;
}

interface Version {
  readonly node: MadeObject;
  readonly brings: readonly MadeObject[];
}

const lines =
  noise(4000, 7)
    .toString('base64')
    .match(/.{1,60}/g) ?? [];
/** A line of commits. Each changes one of three texts and one of five files in folders. */
const versions: Version[] = [];
const files = new Map<string, MadeObject>();
for (let i = 0; i < 40; i++) {
  const text = blob([...lines.slice(0, 20 + (i % 20)), `change ${i}`, ...lines.slice(20 + (i % 20))].join('\n'));
  files.set(`text-${i % 3}`, text);
  const folder = tree({ [`text-${i % 5}`]: text });
  files.set(`z-folder-${i % 5}`, folder);
  const root = tree(Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1))));
  const node = commit(`step ${i}`, root, i % 9 === 8 ? pair(i - 1, i - 5) : pair(i - 1));
  versions.push({ node, brings: [node, root, folder, text] });
}

function pair(...numbers: readonly number[]): MadeObject[] {
  return numbers.flatMap((number) => versions[number]?.node ?? []);
}

function nodeAt(number: number): MadeObject {
  return (versions[number] as Version).node;
}

function brought(from: number, to: number): MadeObject[] {
  const all = versions.slice(from, to + 1).flatMap(({ brings }) => brings);
  return [...new Map(all.map((object) => [object.oid, object])).values()];
}

const middle = 12;
const [old, tip, side] = [nodeAt(middle), nodeAt(39), nodeAt(25)];
const label = tag('v1', side);
const forward = set(main, tip, old);
const others = [set('refs/heads/side', side), set('refs/tags/v1', label)];
const [before, sideBrings, all] = [brought(0, middle), brought(middle + 1, 25), brought(middle + 1, 39)];

/** Pushes with deltas of deltas and bases outside the pack, by offset and by id. */
export const pushes: readonly Push[] = [
  { commands: [forward], pack: deltaPack(all, before), capabilities: '' },
  { commands: [forward], pack: deltaPack(all), capabilities: 'ofs-delta' },
  { commands: [forward, ...others], pack: deltaPack([...all, label]), capabilities: 'atomic' },
  { commands: others, pack: pack(...sideBrings, label), capabilities: 'report-status-v2 delete-refs' },
  {
    commands: [...others, remove(main, old)],
    pack: deltaPack([label, ...sideBrings], before),
    capabilities: 'delete-refs quiet',
  },
];

const words = 'multi_ack_detailed thin-pack side-band-64k ofs-delta include-tag';
const ids = versions.map(({ node }) => node.oid);

export const fetches: readonly Fetch[] = [
  { version: 2, body: fetchBody([old.oid], []) },
  { version: 2, body: fetchBody([old.oid], ids.slice(2, 8), ['thin-pack', 'ofs-delta', 'include-tag']) },
  { version: 2, body: commandBody('ls-refs', ['peel', 'symrefs', 'ref-prefix refs/heads/'], ['object-format=sha1']) },
  { version: 0, body: uploadBody([old.oid], ids.slice(3, 30), words) },
  { version: 1, body: uploadBody([old.oid], ids.slice(8, 11), words, 'flush') },
  { version: 0, body: uploadBody([old.oid], [], '') },
];

/** Creates the repo for these requests. */
export function repoToChange(t: Context): Promise<TestRepo> {
  return repoWith(t, { [main]: old }, before);
}

export function bodyOf({ commands, pack: bytes, capabilities }: Push, mutated: Uint8Array = bytes): Buffer {
  return pushBody(commands, mutated, `report-status side-band-64k object-format=sha1 ${capabilities}`);
}

/** Expects that refs moved only as the body says, to valid objects. Then restores them. */
export async function expectRefsAsToldBy(repo: TestRepo, body: Buffer): Promise<void> {
  const found = await refsOf(repo);
  const start: Record<string, string> = { [main]: old.oid };
  const moved = [...new Set([main, ...Object.keys(found)])].filter((ref) => found[ref] !== start[ref]);
  if (moved.length === 0) return;
  const back: Command[] = [];
  for (const ref of moved) {
    const [from, to] = [start[ref] ?? noObject, found[ref] ?? noObject];
    const line = Buffer.from(`${from} ${to} ${ref}`, 'latin1');
    assert(body.includes(line), `A ref moves only by a command that says so: ${line.toString()}.`);
    back.push({ old: to, new: from, ref: Buffer.from(ref, 'latin1') });
  }
  await expectIntact(repo);
  await accepted(repo, back, pack());
  assert.deepEqual(await refsOf(repo), start, 'The refs can be put back.');
}

/** Posts a push. Expects a valid reply, and refs that moved only by its commands. */
export async function expectSoundPush(repo: TestRepo, body: Buffer): Promise<void> {
  const reply = await post(repo, body, { service: 'git-receive-pack', version: 0 });
  const text = reply.body.toString().slice(0, 200);
  assert([200, 400, 413].includes(reply.status), `A push is answered 200, 400 or 413, not ${reply.status}: ${text}`);
  if (reply.status === 200) expectOutcome(repo, reply.body);
  await expectRefsAsToldBy(repo, body);
}

/** Checks the report, if one was requested, in any form. Throws if its framing is broken. */
function expectOutcome(repo: TestRepo, reply: Buffer): void {
  const packets = readPackets(reply).filter((read) => typeof read !== 'string');
  const plain = packets.map((packet) => packet.toString().trimEnd());
  const fatal = packets.findIndex((packet) => packet[0] === 3);
  assert(fatal < 0, `No push ends in band 3: ${plain[fatal]?.slice(1)}`);
  const unpack = [...plain, ...reportOf(reply)].find((line) => line.startsWith('unpack '));
  // Git's documents leave the reason open.
  if (unpack === undefined || repo.foreign === true) return;
  assert.match(unpack.slice(7), unpackResult, `A push is refused for what is wrong with it, not by "${unpack}".`);
}
