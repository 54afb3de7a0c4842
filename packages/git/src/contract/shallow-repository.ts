import { advertise } from '../repository/advertise.ts';
import { ContentReader } from '../content/content-reader.ts';
import { createGitEngine, type GitRepository } from '../engine/engine.ts';
import { maintainRepository } from '../maintain/maintain.ts';
import { uploadPack } from '../upload-pack/upload-pack.ts';
import { verifyRepository } from '../verify/verify-repository.ts';
import type { GitService } from '../wire/capabilities.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { PackId } from '../ports/pack-store.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';
import { nodeCodec } from '../codec/node.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { madeCommit, madePush, packetOf, type MadeCommit } from './made-history.ts';
import { linesOf, once, pushed } from './pushed.ts';
import { wholeState } from './whole-state.ts';

/** An empty repository for one test. */
export interface ShallowRepositoryFixture {
  readonly repository: GitRepository;
  close(): void | Promise<void>;
}

const main = 'refs/heads/main';
const before = madeCommit('before');
/** The known history of the repository begins here. */
const boundary = madeCommit('boundary', before);
const middle = madeCommit('middle', boundary);
const side = madeCommit('side', madeCommit('long ago'));
const merge = madeCommit('merge', middle, side);
const imported = [boundary, middle, side, merge];

/** Tests an import with a depth (GIT-075) in the engine, over the adapters of one runtime. */
export function testShallowRepository(
  adapter: string,
  make: () => ShallowRepositoryFixture | Promise<ShallowRepositoryFixture>,
): void {
  describe(`a shallow repository: ${adapter}`, () => {
    let fixture: ShallowRepositoryFixture;
    beforeEach(async () => {
      fixture = await make();
    });
    afterEach(() => fixture.close());
    const snapshot = async () => (await fixture.repository.state.snapshot()) as RepoSnapshot;
    const push = (body: Uint8Array, acceptShallow?: boolean) => pushed(fixture.repository, body, { acceptShallow });
    const importAll = () => push(madePush([[null, merge, main]], objectsOf(...imported), [boundary, side]), true);
    const expectBoundary = async (...commits: readonly MadeCommit[]): Promise<void> => {
      const { shallow } = await snapshot();
      expect([...shallow].sort()).toEqual(commits.map(({ oid }) => oid).sort());
    };
    const expectSound = async (): Promise<void> => {
      const engine = createGitEngine({ codec: nodeCodec() });
      expect(await verifyRepository(engine, fixture.repository, await snapshot())).toEqual([]);
    };

    it('GIT-075, GIT-149: an import with a depth stores the boundary with its whole trees', async () => {
      expect(await importAll()).toEqual(['unpack ok', `ok ${main}`]);
      await expectBoundary(boundary, side);
      await expectSound();
    });

    it('GIT-075: only imports may cut off history', async () => {
      const body = madePush([[null, merge, main]], objectsOf(...imported), [boundary, side]);
      expect(await push(body)).toEqual(['unpack ok', `ng ${main} shallow update not allowed`]);
      expect(await wholeState(fixture.repository.state)).toMatchObject({ refs: [], packs: [], shallow: [] });
    });

    it('GIT-075: discovery of both services ends with the boundary', async () => {
      await importAll();
      for (const service of ['git-receive-pack', 'git-upload-pack'] as const) {
        for (const version of [0, 1] as const) {
          const lines = linesOf(await discovery(fixture.repository, service, version));
          const ends = [boundary, side].map(({ oid }) => `shallow ${oid}`).sort();
          expect(lines.slice(-3, -1).sort()).toEqual(ends);
          expect(lines.at(-1)).toBe('flush');
        }
      }
    });

    it('GIT-075, GIT-129: discovery omits boundaries that only hidden refs reach', async () => {
      const commands = [
        [null, middle, main],
        [null, side, 'refs/hidden/side'],
      ] as const;
      await push(madePush(commands, objectsOf(boundary, middle, side), [boundary, side]), true);
      for (const service of ['git-receive-pack', 'git-upload-pack'] as const) {
        const lines = linesOf(await discovery(fixture.repository, service, 0, ['refs/hidden']));
        expect(lines.filter((line) => line.startsWith('shallow '))).toEqual([`shallow ${boundary.oid}`]);
      }
    });

    it('GIT-075: a clone brings all objects and the boundary', async () => {
      await importAll();
      const { lines, objects } = await fetched(fixture.repository, [merge]);
      expect(lines.filter((line) => line.startsWith('shallow ')).sort()).toEqual(
        [boundary, side].map(({ oid }) => `shallow ${oid}`).sort(),
      );
      expect(objects).toBe(objectsOf(...imported).length);
    });

    it('REPO-055, REPO-143: a log ends at the boundary, whose commits keep their parent ids', async () => {
      await importAll();
      const engine = createGitEngine({ codec: nodeCodec() });
      const reader = await ContentReader.open(engine, fixture.repository, await snapshot(), { hiddenRefs: [] });
      const log = (await reader.log('main', { offset: 0, limit: 50 })) ?? [];
      expect(log.map(({ hash, parents }) => [hash, parents])).toEqual([
        [merge.oid, [middle.oid, side.oid]],
        [middle.oid, [boundary.oid]],
        [boundary.oid, [before.oid]],
      ]);
      expect(await reader.log('main', { offset: 2, limit: 50 })).toEqual(log.slice(2));
      expect(await reader.log(side.oid, { offset: 0, limit: 50 })).toHaveLength(1);
      expect(await reader.kindOf(before.oid as ObjectId)).toBeUndefined();
      expect(await reader.log(before.oid, { offset: 0, limit: 50 })).toBeUndefined();
      const tree = await (await reader.tree(log[2]?.treeHash as ObjectId))?.entries();
      const file = await reader.file(boundary.oid, new TextEncoder().encode(tree?.[0]?.name));
      expect(file?.hash).toBe(tree?.[0]?.hash);
      await file?.release();
      const [pack] = (await snapshot()).packs;
      expect(engine.leases.has(pack?.id as PackId)).toBe(false);
    });

    it('GIT-149: pushes extend it, even with commits right above the boundary', async () => {
      await importAll();
      const next = madeCommit('next', merge);
      const branch = madeCommit('branch', boundary);
      const commands = [
        [merge, next, main],
        [null, branch, 'refs/heads/branch'],
      ] as const;
      // A client that cloned it has the same boundary, and declares it.
      const body = madePush(commands, [...next.all, ...branch.all], [boundary, side]);
      expect(await push(body)).toEqual(['unpack ok', `ok ${main}`, 'ok refs/heads/branch']);
      await expectBoundary(boundary, side);
      const { lines, objects } = await fetched(fixture.repository, [branch], [merge]);
      expect(lines.filter((line) => line.startsWith('shallow '))).toEqual([`shallow ${boundary.oid}`]);
      // The commit, its tree and its file; the license is in every tree.
      expect(objects).toBe(3);
      await expectSound();
    });

    it('GIT-119: refuses pushes that would cut more history, and those with other missing objects', async () => {
      await importAll();
      const unknown = madeCommit('unknown', madeCommit('unknown before'));
      const over = madeCommit('over', merge, unknown);
      const objects = objectsOf(unknown, over);
      const refused = (reason: string) => ['unpack ok', `ng ${main} ${reason}`];
      const body = (shallow: readonly MadeCommit[]) => madePush([[merge, over, main]], objects, shallow);
      expect(await push(body([unknown]))).toEqual(refused('shallow update not allowed'));
      expect(await push(body([boundary]))).toEqual(refused('missing necessary objects'));
      await expectBoundary(boundary, side);
      expect((await wholeState(fixture.repository.state)).refs.map(({ oid }) => oid)).toEqual([merge.oid]);
    });

    it('GIT-119: an object stored behind the boundary of the client without its history counts as missing', async () => {
      const root = madeCommit('root');
      const commands = [
        [null, root, main],
        [null, before, 'refs/heads/before'],
      ] as const;
      // Only the commit of the second one is sent, and stays.
      const kept = await push(madePush(commands, [...root.all, before]));
      expect(kept).toEqual(['unpack ok', `ok ${main}`, 'ng refs/heads/before missing necessary objects']);
      const body = madePush([[null, boundary, 'refs/heads/old']], objectsOf(boundary), [boundary]);
      expect(await push(body)).toEqual(['unpack ok', 'ng refs/heads/old shallow update not allowed']);
    });

    it('GIT-149: the boundary still ends history after the objects behind it were collected and pushed again', async () => {
      const commands = [
        [null, middle, main],
        [null, side, 'refs/heads/side'],
      ] as const;
      await push(madePush(commands, objectsOf(boundary, middle, side), [boundary, side]), true);
      expect(await push(madePush([[side, null, 'refs/heads/side']], []))).toEqual(['unpack ok', 'ok refs/heads/side']);
      await maintained(fixture.repository);
      const again = [[null, side, 'refs/heads/side']] as const;
      expect(await push(madePush(again, []))).toEqual(['unpack ok', 'ng refs/heads/side missing necessary objects']);
      expect(await push(madePush(again, objectsOf(side)))).toEqual(['unpack ok', 'ok refs/heads/side']);
      await expectBoundary(boundary, side);
      await expectSound();
    });

    it('GIT-149: a commit without its tree is not a boundary', async () => {
      const objects = objectsOf(...imported).filter(({ oid }) => oid !== side.all[1]?.oid);
      const body = madePush([[null, merge, main]], objects, [boundary, side]);
      expect(await push(body, true)).toEqual(['unpack ok', `ng ${main} missing necessary objects`]);
      await expectBoundary();
    });

    it('GIT-075: a commit stored without its history becomes a boundary when it is imported', async () => {
      const root = madeCommit('root');
      const commands = [
        [null, root, main],
        [null, boundary, 'refs/heads/old'],
      ] as const;
      const refused = ['unpack ok', `ok ${main}`, 'ng refs/heads/old shallow update not allowed'];
      expect(await push(madePush(commands, objectsOf(root, boundary), [boundary]))).toEqual(refused);
      await expectBoundary();
      const again = madePush([[null, boundary, 'refs/heads/old']], [], [boundary]);
      expect(await push(again, true)).toEqual(['unpack ok', 'ok refs/heads/old']);
      await expectBoundary(boundary);
      await expectSound();
    });

    it('GIT-075: a commit with its history does not become a boundary', async () => {
      expect(await push(madePush([[null, boundary, main]], objectsOf(before, boundary)))).toContain('unpack ok');
      const body = madePush([[null, middle, 'refs/heads/middle']], objectsOf(boundary, middle), [boundary]);
      expect(await push(body, true)).toEqual(['unpack ok', 'ok refs/heads/middle']);
      await expectBoundary();
      const { objects } = await fetched(fixture.repository, [middle]);
      expect(objects).toBe(objectsOf(before, boundary, middle).length);
    });
  });
}

function objectsOf(...commits: readonly MadeCommit[]): MadeCommit['all'] {
  return [...new Map(commits.flatMap(({ all }) => all).map((object) => [object.oid, object])).values()];
}

/** Drops unreachable objects, as if the grace period was over. */
async function maintained(repository: GitRepository): Promise<void> {
  const { collectedObjects } = await maintainRepository(createGitEngine({ codec: nodeCodec() }), repository, {
    now: Date.now() + 1_000_000_000,
    grace: 0,
    retireGrace: 0,
    mode: 'full',
    mergeMax: 1_000_000,
    rowsMax: 1_000_000,
    inUse: () => false,
    newId: () => crypto.randomUUID(),
  });
  expect(collectedObjects).toBeGreaterThan(0);
}

/** Runs `fetch` of version 2. Returns the lines before the pack, and the number of objects in the pack. */
async function fetched(
  repository: GitRepository,
  wants: readonly MadeCommit[],
  haves: readonly MadeCommit[] = [],
): Promise<{ lines: readonly string[]; objects: number }> {
  const words = [...wants.map(({ oid }) => `want ${oid}`), ...haves.map(({ oid }) => `have ${oid}`), 'done'];
  const body = `${packetOf('command=fetch')}0001${words.map(packetOf).join('')}0000`;
  const snapshot = (await repository.state.snapshot()) as RepoSnapshot;
  const options = { version: 2, hiddenRefs: [], bodyMax: 1_000_000, keepAlive: 60_000 } as const;
  const failed = (error: unknown): void => expect.unreachable(String(error));
  const engine = createGitEngine({ codec: nodeCodec() });
  const reply = await uploadPack(engine, repository, snapshot, once(new TextEncoder().encode(body)), {
    ...options,
    failed,
  });
  const bytes = new Uint8Array(await new Response(reply.body as BodyInit).arrayBuffer());
  const lines = linesOf(bytes);
  const start = lines.indexOf('packfile');
  // Band 1, `PACK`, version, number of objects; these packs have fewer than 128.
  const head = lines.slice(start + 1).find((line) => line.startsWith('\u0001PACK'));
  return { lines: lines.slice(0, start), objects: head?.charCodeAt(12) ?? -1 };
}

async function discovery(
  repository: GitRepository,
  service: GitService,
  version: 0 | 1,
  hiddenRefs: readonly string[] = [],
): Promise<Uint8Array> {
  const identity = { agent: 'packhouse/test', sessionId: 's' };
  const snapshot = (await repository.state.snapshot()) as RepoSnapshot;
  const engine = createGitEngine({ codec: nodeCodec() });
  const options = { service, version, identity, hiddenRefs, failed: () => {} };
  const body = await advertise(engine, repository, snapshot, options);
  return new Uint8Array(await new Response(body as BodyInit).arrayBuffer());
}
