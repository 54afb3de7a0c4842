import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { offsetDistance } from '../../../tools/copying-delta.ts';
import { blob, change, insertingDelta, pack, packEntry, packOfEntries } from '../../../tools/made-objects.ts';
import { main } from '../../../tools/push-reports.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { push } from '../../../tools/wire-client.ts';
import {
  commands,
  entries,
  expectRefusals,
  next,
  offsetDelta,
  referenceDelta,
  repoToCorrupt,
  stateOf,
  withEntry,
  type Refusal,
} from './refusal.ts';

const { body } = next;
const target = Buffer.from('a delta makes this');

/** Returns a delta with the right base size: its result size, and its instructions. */
function delta(...bytes: readonly number[]): Uint8Array {
  return Uint8Array.from([(body.length & 127) | 128, body.length >>> 7, ...bytes]);
}

function byOffset(distance: Uint8Array, bytes: Uint8Array): Buffer {
  return packEntry(offsetDelta, bytes, distance);
}

function byId(id: string, bytes: Uint8Array): Buffer {
  return packEntry(referenceDelta, bytes, Buffer.from(id, 'hex'));
}

const broken: Readonly<Record<string, Uint8Array>> = {
  'the size of the base is not that of the base': insertingDelta(body.length + 1, target),
  'less is made than declared': delta(9, 3, 1, 2, 3),
  'more is made than declared': delta(2, 3, 1, 2, 3),
  'a copy that begins behind the base': delta(4, 0x93, body.length & 255, body.length >>> 8, 4),
  'a copy that ends behind the base': delta(4, 0x91, (body.length - 3) & 255, 4),
  'a copy of more than 16 bits': delta(4, 0x98, 255, 4),
  'the reserved opcode': delta(1, 0, 1, 7),
  'an insert that is cut off': delta(5, 5, 1, 2, 3),
  'a copy that is cut off': delta(5, 0x9f, 1),
  'sizes that are cut off': Uint8Array.of(0x80 | (body.length & 127)),
  'nothing at all': Uint8Array.of(),
  // Valid by itself, but stock git reads no delta below 4 bytes: a clone that received it would fail.
  'an empty result, in fewer bytes than Git reads': delta(0),
};

export const gitCorruptionDeltas: Suite = suite(
  {
    id: 'git/corruption/deltas/instructions',
    requirements: ['GIT-144', 'GIT-114'],
    level: 'MUST',
    explanation: 'A delta that does not fit its base or breaks off is refused by its offset, in both forms.',
    async run(t) {
      const [head] = entries;
      const refusals = Object.entries(broken).flatMap(([name, bytes]) =>
        [byOffset(offsetDistance(head.length), bytes), byId(next.oid, bytes)].map((entry, form): Refusal => {
          const { bytes: all, offset } = withEntry(entry);
          const how = form === 0 ? 'by offset' : 'by id';
          return { name: `${name}, ${how}`, bytes: all, reason: `corrupt delta at offset ${offset}` };
        }),
      );
      await expectRefusals(t, refusals);
    },
  },
  {
    id: 'git/corruption/deltas/offset-bases',
    requirements: ['GIT-144', 'GIT-114'],
    level: 'MUST',
    explanation: 'An offset base that is no entry before the delta is refused.',
    async run(t) {
      const [head] = entries;
      const places = {
        'in the middle of an entry': offsetDistance(head.length - 1),
        'before the first entry': offsetDistance(head.length + 12),
        'before the pack': offsetDistance(100_000),
        'the delta itself': Buffer.of(0),
      };
      const refusals = Object.entries(places).map(([name, distance]): Refusal => {
        const { bytes, offset } = withEntry(byOffset(distance, insertingDelta(body.length, target)));
        return { name: `a base ${name}`, bytes, reason: `corrupt delta at offset ${offset}` };
      });
      await expectRefusals(t, refusals);
    },
  },
  {
    id: 'git/corruption/deltas/missing-bases',
    requirements: ['GIT-145', 'GIT-154', 'GIT-114'],
    level: 'MUST',
    explanation: 'A base that is nowhere, only in another repo, or the delta itself, is missing.',
    async run(t) {
      const secret = change('only elsewhere');
      await repoWith(t, { [main]: secret }, secret.all);
      const refusals = ['1234567890'.repeat(4), secret.file.oid, blob(target).oid].map((oid): Refusal => ({
        name: `a delta of ${oid}`,
        bytes: withEntry(byId(oid, insertingDelta(10, target))).bytes,
        reason: `missing base ${oid}`,
      }));
      await expectRefusals(t, refusals);
    },
  },
  {
    id: 'git/corruption/deltas/circle',
    requirements: ['GIT-145', 'GIT-114'],
    level: 'MUST',
    needs: ['fresh repo'],
    explanation: 'Of two deltas that are each other’s base one is told to lack it.',
    async run(t) {
      const repo = await repoToCorrupt(t);
      const before = await stateOf(t, repo);
      const [a, b] = [blob('one\n'), blob('two\n')];
      const circle = [byId(b.oid, insertingDelta(4, a.body)), byId(a.oid, insertingDelta(4, b.body))];
      const [unpack = ''] = await push(repo, commands, packOfEntries([...entries, ...circle]));
      if (repo.foreign !== true)
        assert.match(unpack, new RegExp(`^unpack missing base (${a.oid}|${b.oid})$`), 'The push is refused.');
      same(await stateOf(t, repo), before, 'Refs and record are as before.');
      const [sound] = await push(repo, commands, pack(...next.all));
      assert.equal(sound, 'unpack ok', 'The sound pack is taken after all.');
    },
  },
);
