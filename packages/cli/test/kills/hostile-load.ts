import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import {
  addDuplicates,
  addSpine,
  addStar,
  addZeros,
  packOfChain,
  packOfManyParents,
  packOfTinyObjects,
  packWithCommit,
  pushBody,
  shortRef,
} from '@packhouse/fixtures/hostile';
import { post } from '@packhouse/conformance/tools/wire-client';
import { repoChanges } from './git-load.ts';
import type { Actor } from './load.ts';
import { repoFact, repoPath } from './observe.ts';
import { deleteRepo } from './rest-load.ts';
import type { World } from './world.ts';

interface HostilePush {
  readonly body: Buffer;
  readonly isGzip?: boolean;
  readonly refs: ReadonlyMap<string, string>;
}

const main = 'refs/heads/main';
/** Small enough that `doctor` reads all of them between two kills. */
const size = 1_048_576;

/**
 * Returns packs as hostile tenants send them: large only once inflated, deep, with many parents, or of thousands of
 * objects.
 */
function hostilePushes(): readonly HostilePush[] {
  const ofOne = ({ pack, commit }: { readonly pack: Buffer; readonly commit: string }): HostilePush => ({
    body: pushBody([{ ref: main, to: commit }], pack),
    refs: new Map([[main, commit]]),
  });
  const ofMany = ({ pack, commits }: { readonly pack: Buffer; readonly commits: readonly string[] }): HostilePush => {
    const refs = commits.map((to, i) => ({ ref: i === 0 ? main : shortRef(i), to }));
    return { body: pushBody(refs, pack), refs: new Map(refs.map(({ ref, to }) => [ref, to])) };
  };
  const empty = packWithCommit(() => undefined);
  const many = [main, ...Array.from({ length: 1_500 }, (_, i) => shortRef(i))].map((ref) => ({
    ref,
    to: empty.commit,
  }));
  return [
    ofOne(packWithCommit((pack) => addDuplicates(pack, size, 30))),
    ofOne(packWithCommit((pack) => addStar(pack, size, 60))),
    ofOne(packWithCommit((pack) => addSpine(pack, size, 20))),
    ofOne(packWithCommit((pack) => addZeros(pack, 8 * size, 3))),
    ofOne(packOfChain(size, 60)),
    ofOne(packOfTinyObjects(20_000)),
    // As many parents as a commit may have, and more.
    ofMany(packOfManyParents(1_000, 4, true)),
    ofMany(packOfManyParents(20_000, 4, true)),
    {
      body: gzipSync(pushBody(many, empty.pack)),
      isGzip: true,
      refs: new Map(many.map(({ ref, to }) => [ref, to])),
    },
  ];
}

/** Pushes hostile packs, each into a new repo: whole, damaged or stalled. Then reads what was stored. */
export function hostileActor(world: World, number: number): Actor {
  const pushes = hostilePushes();
  const own = `hostile${number}-`;
  let made = 0;
  return {
    name: `hostile-${number}`,
    async step(dice) {
      const { ledger } = world;
      const repos = ledger.settledKeys(`repo ${own}`).map((key) => key.slice('repo '.length));
      if (repos.length > 2) return deleteRepo(world, dice.pick(repos));
      const repo = `${own}${made++}`;
      const isMade = await ledger.change(
        'creation',
        repoChanges(repo, repoFact('main', null), new Map()),
        async () => {
          const { status, result } = await world.rest('POST', repoPath(), { name: repo });
          if (status !== 201) return undefined;
          world.tokens.set(repo, (result as { readonly token: string }).token);
          return new Map();
        },
        `token ${repo} `,
      );
      if (!isMade) return;
      const { body, isGzip, refs } = dice.pick(pushes);
      if (dice.below(4) === 0) return stall(world, repo, body.subarray(0, dice.below(body.length)));
      const sent = Buffer.from(body);
      // Damage before the pack would only change ref names.
      const packAt = isGzip === true ? sent.length : sent.indexOf('PACK');
      if (packAt < sent.length && dice.below(4) === 0) {
        sent.writeUInt8(dice.below(256), packAt + dice.below(sent.length - packAt));
      }
      const changes = new Map([...refs].map(([name, oid]) => [`ref ${repo} ${name}`, oid]));
      await ledger.change('hostile push', changes, async () => {
        const reply = await post(world.remote(repo), sent, {
          service: 'git-receive-pack',
          version: 0,
          ...(isGzip === true && { headers: { 'content-encoding': 'gzip' } }),
        });
        const report = reply.body.toString('latin1');
        if (world.outages.has(reply.status) || world.isOutage(report)) return undefined;
        if (/internal error/.test(report)) world.problems.push(`hostile push: ${report.slice(0, 200)}`);
        if (reply.status !== 200 || !report.includes('unpack ok')) return 'refused';
        return /[0-9a-f]{4}ng /.test(report) ? undefined : new Map();
      });
      await world.rest('GET', `${repoPath(repo)}/log?limit=1`);
    },
  };
}

/** Sends a part of a push and then nothing, until the server ends the connection or is killed. */
function stall(world: World, repo: string, part: Uint8Array): Promise<void> {
  const { remote, token } = world.remote(repo);
  return new Promise((resolve) => {
    const sending = request(`${remote}/git-receive-pack`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-git-receive-pack-request' },
    });
    // Other actors continue meanwhile.
    sending.on('error', () => {});
    sending.write(part, () => resolve());
    sending.on('close', () => resolve());
  });
}
