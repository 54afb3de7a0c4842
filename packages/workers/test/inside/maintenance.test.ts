import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { abortAllDurableObjects } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createGitEngine, packFiles, receivePack, verifyRepository, type PackStore } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { maintainHostedRepo } from '@packhouse/hosting';
import { sweepLeftovers } from '@packhouse/storage';
import { FaultyBucket, type BucketCall, type BucketFault } from '@packhouse/storage/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { newRepo, reopened, type Repo } from './repo.ts';

const main = 'refs/heads/main';
const none = '0'.repeat(40);
const grace = 60_000;
/** Above what lies in rows. */
const fileSize = 1_600_000;

interface MadeObject {
  readonly oid: string;
  readonly entry: Buffer;
}

function made(kind: 'commit' | 'tree' | 'blob', content: Uint8Array): MadeObject {
  const number = { commit: 1, tree: 2, blob: 3 }[kind];
  const size: number[] = [];
  let left = content.length;
  for (let first = true; first || left > 0; first = false) {
    const bits = first ? 4 : 7;
    size.push((left % 2 ** bits) + (first ? number * 16 : 0));
    left = Math.floor(left / 2 ** bits);
  }
  const header = size.map((byte, i) => (i < size.length - 1 ? byte + 128 : byte));
  const oid = createHash('sha1').update(`${kind} ${content.length}\0`).update(content).digest('hex');
  return { oid, entry: Buffer.concat([Buffer.from(header), deflateSync(content, { level: 0 })]) };
}

/** A push of one commit of one new file of random bytes; its new value. */
function pushOf(parent: string | undefined): { readonly body: Buffer; readonly value: string } {
  const bytes = new Uint8Array(fileSize);
  for (let at = 0; at < fileSize; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  const file = made('blob', bytes);
  const tree = made('tree', Buffer.concat([Buffer.from('100644 file\0'), Buffer.from(file.oid, 'hex')]));
  const lines = [`tree ${tree.oid}`, ...(parent === undefined ? [] : [`parent ${parent}`])];
  const person = 'A <a@example.com> 1 +0000';
  const text = [...lines, `author ${person}`, `committer ${person}`, '', 'x\n'].join('\n');
  const tip = made('commit', Buffer.from(text));
  const head = Buffer.alloc(12);
  head.write('PACK');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(3, 8);
  const pack = Buffer.concat([head, tip.entry, tree.entry, file.entry]);
  const command = `${parent ?? none} ${tip.oid} ${main}\0report-status`;
  const packet = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`;
  const body = Buffer.concat([Buffer.from(packet), pack, createHash('sha1').update(pack).digest()]);
  return { body, value: tip.oid };
}

async function push({ state, packs }: Repo, body: Buffer): Promise<void> {
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
  const engine = createGitEngine({ codec: nodeCodec() });
  const reply = await receivePack(engine, { state, packs: packs() }, snapshot, whole(), options);
  expect(await new Response(reply as BodyInit).text()).toContain(`ok ${main}`);
}

async function maintain({ state }: Repo, packs: PackStore): Promise<void> {
  for (let round = 1; round <= 3; round++) {
    await maintainHostedRepo(
      createGitEngine({ codec: nodeCodec() }),
      { state, packs },
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
    expect(snapshot).toMatchObject({ refs: [{ oid: value }], packs: [{ objects: 9, exact: true }] });
    if (snapshot === undefined) return;
    const engine = createGitEngine({ codec: nodeCodec() });
    expect(await verifyRepository(engine, { state, packs: packs() }, snapshot)).toEqual([]);
    await sweepLeftovers(state, packs(), Date.now() + 1_000, 0);
    const { objects } = await env.PACKS.list({ prefix: `${repo.id}/` });
    const [pack] = snapshot.packs;
    expect(objects.map(({ key }) => key).sort()).toEqual(
      packFiles.map((file) => `${repo.id}/${pack?.id}.${file}`).sort(),
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
