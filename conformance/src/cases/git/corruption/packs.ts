import { deflateSync } from 'node:zlib';
import { suite, type Suite } from '../../../core/case.ts';
import { packEntry, packOfEntries } from '../../../tools/made-objects.ts';
import { expectReport, taken } from '../../../tools/push-reports.ts';
import {
  changed,
  commands,
  entries,
  expectRefusals,
  good,
  next,
  repoToCorrupt,
  withEntry,
  type Refusal,
} from './refusal.ts';

const content = Buffer.from('some content that takes a few bytes\n');
const deflated = deflateSync(content);
const nothing = Buffer.alloc(0);

/** Unreadable entries, by their fault. */
const brokenEntries: Readonly<Record<string, Buffer>> = {
  'type 0': packEntry(0, content),
  'type 5': packEntry(5, content),
  'less inflates than declared': packEntry(3, content, nothing, content.length + 1),
  'more inflates than declared': packEntry(3, content, nothing, content.length - 1),
  'something inflates where nothing is declared': packEntry(3, content, nothing, 0),
  'no zlib stream': Buffer.concat([Buffer.of(0x33), Buffer.from('not compressed at all, but long enough to be seen')]),
  'a wrong Adler-32': Buffer.concat([
    packEntry(3, content).subarray(0, -1),
    Buffer.of((deflated.at(-1) as number) ^ 1),
  ]),
  'a deflate block of type 3': Buffer.concat([
    packEntry(3, content).subarray(0, 2),
    Buffer.of(0x78, 0x9c, 0xff),
    deflated.subarray(3),
  ]),
};

/** Returns the entry of a file, made longer by empty blocks of deflate. */
function padded(body: Buffer, blocks: number): Buffer {
  const entry = packEntry(3, body);
  const start = entry.length - deflateSync(body).length + 2;
  const empty = Buffer.of(0, 0, 0, 0xff, 0xff);
  return Buffer.concat([entry.subarray(0, start), ...Array<Buffer>(blocks).fill(empty), entry.subarray(start)]);
}

function* refusals(reason: string, packs: Readonly<Record<string, Uint8Array>>): Iterable<Refusal> {
  for (const [name, bytes] of Object.entries(packs)) yield { name, bytes, reason };
}

export const gitCorruptionPacks: Suite = suite(
  {
    id: 'git/corruption/packs/header',
    requirements: ['GIT-140', 'GIT-114'],
    level: 'MUST',
    explanation: 'A pack with a wrong signature or version is refused, and nothing changes.',
    run: (t) =>
      expectRefusals(
        t,
        refusals('bad pack header', {
          'another signature': changed(0, 'PAKC'),
          'version 0': changed(7, Buffer.of(0)),
          'version 1': changed(7, Buffer.of(1)),
          'version 4': changed(7, Buffer.of(4)),
          'version 2 in the wrong byte': changed(4, Buffer.of(2, 0, 0, 0)),
          'no pack at all': Buffer.from('hello, this is no pack whatsoever'),
        }),
      ),
  },
  {
    id: 'git/corruption/packs/count',
    requirements: ['GIT-141', 'GIT-114'],
    level: 'MUST',
    explanation: 'A pack with more or fewer objects than its header says is refused, and nothing changes.',
    run: (t) =>
      expectRefusals(
        t,
        refusals('object count mismatch', {
          'one object more announced': packOfEntries(entries, 4),
          'many more announced': packOfEntries(entries, 5_000),
          'one object less announced': packOfEntries(entries, 2),
          'none announced': packOfEntries(entries, 0),
        }),
      ),
  },
  {
    id: 'git/corruption/packs/garbage',
    requirements: ['GIT-141', 'GIT-114'],
    level: 'MUST',
    own: true,
    explanation: 'A pack with bytes behind its trailer is refused, and nothing changes.',
    run: (t) =>
      expectRefusals(
        t,
        refusals('garbage after pack', {
          ...Object.fromEntries(
            [1, 19, 20, 21, 70_000].map((count) => [
              `${count} bytes behind`,
              Buffer.concat([good, Buffer.alloc(count, 7)]),
            ]),
          ),
          'a second pack behind': Buffer.concat([good, good]),
        }),
      ),
  },
  {
    id: 'git/corruption/packs/checksum',
    requirements: ['GIT-142', 'GIT-114'],
    level: 'MUST',
    explanation: 'A pack whose trailer is not the SHA-1 of what stands before is refused, and nothing changes.',
    run: (t) =>
      expectRefusals(
        t,
        refusals('pack checksum mismatch', {
          ...Object.fromEntries(
            [0, 7, 19].map((byte) => {
              const at = good.length - 20 + byte;
              return [`byte ${byte} of the trailer is wrong`, changed(at, Buffer.of((good[at] as number) ^ 1))];
            }),
          ),
          'a header that its trailer does not cover': changed(7, Buffer.of(3)),
        }),
      ),
  },
  {
    id: 'git/corruption/packs/entries',
    requirements: ['GIT-143', 'GIT-114'],
    level: 'MUST',
    explanation: 'An entry of no known type, or whose data is not as declared, is refused by its offset.',
    async run(t) {
      const broken = Object.entries(brokenEntries).map(([name, entry]): Refusal => {
        const { bytes, offset } = withEntry(entry);
        return { name, bytes, reason: `corrupt object at offset ${offset}` };
      });
      const [head, trunk, file] = entries;
      const before = [packEntry(3, content), packEntry(3, Buffer.from('other')), head, trunk];
      const offset = 12 + before.reduce((sum, { length }) => sum + length, 0);
      const late = {
        name: 'one further behind',
        bytes: packOfEntries([...before, packEntry(5, content), file]),
        reason: `corrupt object at offset ${offset}`,
      };
      await expectRefusals(t, [...broken, late]);
    },
  },
  {
    id: 'git/corruption/packs/padded-entries',
    requirements: ['GIT-143'],
    level: 'MUST',
    beyond: true,
    own: true,
    explanation: 'An entry that is much longer than what it inflates to is refused, up to 65,536 bytes more are not.',
    async run(t) {
      const repo = await repoToCorrupt(t);
      const [head, trunk] = entries;
      const withFile = (blocks: number): Buffer => packOfEntries([head, trunk, padded(next.file.body, blocks)]);
      const refs = commands.map(({ ref }) => ref.toString());
      const refused = [
        `unpack corrupt object at offset ${12 + head.length + trunk.length}`,
        ...refs.map((ref) => `ng ${ref} unpacker error`),
      ];
      await expectReport(repo, commands, withFile(13_200), refused, '66,000 bytes more are too many.');
      await expectReport(repo, commands, withFile(13_000), taken(...refs), '65,000 bytes more are not.');
    },
  },
  {
    id: 'git/corruption/packs/truncated',
    requirements: ['GIT-148', 'GIT-114'],
    level: 'MUST',
    explanation: 'A pack that ends early is refused, wherever it ends, and nothing changes.',
    async run(t) {
      const lengths = Array.from({ length: good.length - 1 }, (_, i) => i + 1).filter(
        (length) => length % 10 === 1 || length > good.length - 25,
      );
      await expectRefusals(
        t,
        lengths.map((length) => ({
          name: `a pack of ${good.length} bytes that ends after ${length}`,
          bytes: good.subarray(0, length),
          reason: 'truncated pack',
        })),
      );
    },
  },
);
