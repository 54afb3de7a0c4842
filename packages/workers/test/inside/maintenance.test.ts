import { abortAllDurableObjects } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createGitEngine, packFiles, receivePack, verifyRepository, type PackStore } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { maintainHostedRepo, sweepLeftovers } from '@packhouse/hosting';
import { wholeState } from '@packhouse/git/contract';
import { FaultyBucket, type BucketCall, type BucketFault } from '@packhouse/storage/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { newRepo, reopened, type Repo } from './repo.ts';

const main = 'refs/heads/main';
const none = '0'.repeat(40);
const grace = 60_000;
/** Bytes. Too large for rows. */
const fileSize = 1_600_000;

const codec = nodeCodec();
const encoder = new TextEncoder();

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

interface MadeObject {
  readonly id: Uint8Array;
  readonly entry: Uint8Array;
}

function made(kind: 'commit' | 'tree' | 'blob', content: Uint8Array): MadeObject {
  const number = { commit: 1, tree: 2, blob: 3 }[kind];
  const size = [number * 16 + (content.length % 16)];
  for (let left = Math.floor(content.length / 16); left > 0; left = Math.floor(left / 128)) size.push(left % 128);
  const header = Uint8Array.from(size, (byte, i) => (i < size.length - 1 ? byte + 128 : byte));
  const id = codec.sha1Of(encoder.encode(`${kind} ${content.length}\0`), content);
  return { id, entry: joined(header, codec.deflate(content, 0)) };
}

/** A push of one commit of one new file of random bytes; its new value. */
function pushOf(parent: string | undefined): { readonly body: Uint8Array; readonly value: string } {
  const bytes = new Uint8Array(fileSize);
  for (let at = 0; at < fileSize; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  const file = made('blob', bytes);
  const tree = made('tree', joined(encoder.encode('100644 file\0'), file.id));
  const lines = [`tree ${hex(tree.id)}`, ...(parent === undefined ? [] : [`parent ${parent}`])];
  const person = 'A <a@example.com> 1 +0000';
  const text = [...lines, `author ${person}`, `committer ${person}`, '', 'x\n'].join('\n');
  const tip = made('commit', encoder.encode(text));
  const head = Uint8Array.of(0x50, 0x41, 0x43, 0x4b, 0, 0, 0, 2, 0, 0, 0, 3);
  const pack = joined(head, tip.entry, tree.entry, file.entry);
  const value = hex(tip.id);
  const command = `${parent ?? none} ${value} ${main}\0report-status`;
  const packet = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`;
  return { body: joined(encoder.encode(packet), pack, codec.sha1Of(pack)), value };
}

async function push({ state, packs }: Repo, body: Uint8Array): Promise<void> {
  async function* whole(): AsyncGenerator<Uint8Array, void, undefined> {
    yield body;
  }
  const snapshot = await state.snapshot();
  if (snapshot === undefined) throw new Error('There is no snapshot');
  const options = {
    hiddenRefs: [],
    denyDeleteDefault: false,
    denyNonFastForward: false,
    strictObjects: true,
    blobMax: 64_000_000,
    objectMax: 64_000_000,
    memoryMax: 64_000_000,
    chainDepthMax: 50,
    chainMax: 2 ** 31,
    commitMax: 1 << 20,
    commitParentsMax: 1024,
    inflatedMax: 2 ** 32,
    graphMax: 1 << 24,
    repoStorageMax: 1e9,
    accountStorageLeft: async () => 1e9,
    pushId: crypto.randomUUID(),
    now: () => Date.now(),
    bodyMax: 1e9,
    commandsMax: 10,
    keepAlive: 60_000,
    committed: async () => undefined,
    failed: () => undefined,
  };
  const engine = createGitEngine({ codec });
  const reply = await receivePack(engine, { state, packs: packs() }, snapshot, whole(), options);
  expect(await new Response(reply as BodyInit).text()).toContain(`ok ${main}`);
}

async function maintain({ state }: Repo, packs: PackStore): Promise<void> {
  for (let round = 1; round <= 3; round++) {
    await maintainHostedRepo(
      createGitEngine({ codec }),
      { id: 'a', state, packs },
      {
        now: Date.now() + round * 2 * grace,
        grace,
        retireGrace: grace,
        mergeMax: 1e9,
        rowsMax: 1_500_000,
        quietMerge: { after: grace, alwaysMax: 1e9 },
        inUse: () => false,
        newId: () => crypto.randomUUID(),
      },
    );
  }
}

describe('workerd: maintenance', () => {
  let repo: Repo;
  let value: string;

  beforeEach(async () => {
    repo = await newRepo();
    let parent: string | undefined;
    for (let i = 0; i < 3; i++) {
      const next = pushOf(parent);
      await push(repo, next.body);
      parent = next.value;
    }
    value = parent ?? '';
  });

  /** The same refs, everything sound, one pack, and nothing else in the bucket. */
  async function expectMaintained({ state, packs }: Repo): Promise<void> {
    const snapshot = await state.snapshot();
    expect(await wholeState(state)).toMatchObject({ refs: [{ oid: value }], packs: [{ objects: 9, exact: true }] });
    if (snapshot === undefined) return;
    const engine = createGitEngine({ codec });
    expect(await verifyRepository(engine, { state, packs: packs() }, snapshot)).toEqual([]);
    await sweepLeftovers(state, packs(), Date.now() + 1_000, 0);
    const { objects } = await env.PACKS.list({ prefix: `${repo.account}/` });
    const [pack] = snapshot.packs;
    expect(objects.map(({ key }) => key).sort()).toEqual(
      packFiles.map((file) => `${repo.account}/${pack?.id}.${file}`).sort(),
    );
  }

  it('merges packs in R2, and a second run changes nothing', async () => {
    await maintain(repo, repo.packs());
    await expectMaintained(repo);
    const before = await repo.state.snapshot();
    await maintain(repo, repo.packs());
    expect(await repo.state.snapshot()).toEqual(before);
  });

  it('run twice at the same time ends as run once', async () => {
    await Promise.allSettled([maintain(repo, repo.packs()), maintain(repo, repo.packs())]);
    await maintain(repo, repo.packs());
    await expectMaintained(repo);
  });

  /** Fails or resets at the operation of that number. */
  const harmedAt = (at: number, harm: (call: BucketCall) => BucketFault | undefined): PackStore => {
    let count = 0;
    return repo.packs({ bucket: new FaultyBucket(env.PACKS, (call) => (count++ === at ? harm(call) : undefined)) });
  };

  // Reads of three packs, three puts, and the removal of what was replaced.
  for (const at of [0, 4, 9, 11, 12, 13, 14, 15, 16]) {
    it(`is done by the next one when its object is reset at operation ${at} of the bucket`, async () => {
      let reset: Promise<void> | undefined;
      const packs = harmedAt(at, () => {
        reset = abortAllDurableObjects();
        return undefined;
      });
      await maintain(repo, packs).catch(() => undefined);
      await reset;
      const again = reopened(repo);
      await maintain(again, again.packs());
      await expectMaintained(again);
    });

    it.each(['refused', 'lost'] as const)(
      `is done by the next one when operation ${at} of the bucket is %s`,
      async (fault) => {
        await maintain(
          repo,
          harmedAt(at, () => fault),
        ).catch(() => undefined);
        await maintain(repo, repo.packs());
        await expectMaintained(repo);
      },
    );
  }
});
