import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { suite, type Case, type Suite } from '../../../core/case.ts';
import { fetchedPack, idsOf } from '../../../tools/hosted-objects.ts';
import { blob, commit, pack, tree, type MadeCommit } from '../../../tools/made-objects.ts';
import { noise } from '../../../tools/noise.ts';
import { readPack } from '../../../tools/pack-contents.ts';
import { accepted } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { checksumFits } from '../../../tools/taken-pack.ts';
import { set } from '../../../tools/wire-client.ts';
import { ask, at, between, early, idsIn, inner, outer, repoWithHistory, split, treeTag } from './history.ts';

const main = 'refs/heads/main';

export const gitUploadPackPacks: Suite = suite(
  {
    id: 'git/upload-pack/packs/difference',
    requirements: ['GIT-065', 'GIT-066'],
    level: 'MUST',
    explanation: 'The pack holds what the wants reach and the haves do not.',
    async run(t) {
      const repo = await repoWithHistory(t);
      for (const [want, have] of [
        [5, 4],
        [5, 0],
        [3, 1],
      ] as const) {
        const { pack: sent } = split(await ask(repo, [at(want).oid], [at(have).oid], 'thin-pack ofs-delta'));
        same(
          idsIn(sent, at(have)),
          idsOf(between(have + 1, want)),
          `Of commit ${want} a client that has commit ${have} gets the commits between, with their trees and files.`,
        );
      }
    },
  },
  {
    id: 'git/upload-pack/packs/include-tag',
    requirements: ['GIT-068'],
    level: 'MUST',
    explanation: 'With include-tag come the tags of what is sent, with each tag in between; others stay away.',
    async run(t) {
      const repo = await repoWithHistory(t);
      for (const [want, have, words, expected] of [
        [4, 1, 'include-tag', [...between(2, 4), inner, outer, treeTag]],
        [4, 3, 'include-tag', at(4).all],
        [1, undefined, 'include-tag', [...between(0, 1), early]],
        [5, 1, 'include-tag', [...between(2, 5), inner, outer, treeTag]],
        [5, 1, '', between(2, 5)],
      ] as const) {
        const had = have === undefined ? [] : [at(have)];
        const { pack: sent } = split(await ask(repo, [at(want).oid], idsOf(had), words));
        same(
          idsIn(sent, ...had),
          idsOf(expected),
          `Version 0: of commit ${want} a client that has commit ${have} gets these with "${words}".`,
        );
      }
      const sent = await fetchedPack(repo, [at(4)], [at(1)], ['include-tag', 'no-progress']);
      same(idsIn(sent, at(1)), idsOf([...between(2, 4), inner, outer, treeTag]), 'Version 2 has the same rule.');
    },
  },
  {
    id: 'git/upload-pack/packs/deltas',
    requirements: ['GIT-067'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'Offset deltas and thin packs are sent only if asked for; other packs stand alone, with right counts.',
    async run(t) {
      const made = join(await t.folder(), 'made.git');
      const commits = versions();
      await t.git(['init', '--quiet', '--bare', made]);
      await t.git(['index-pack', '--stdin'], { cwd: made, input: pack(...commits.flatMap(({ all }) => all)) });
      await t.git(['update-ref', main, (commits[2] as MadeCommit).oid], { cwd: made });
      const repo = await t.createRepo();
      // Stock git finds the deltas: two of the three versions have another one as their base.
      await t.git([...repo.auth, 'push', '--quiet', '--mirror', repo.remote], { cwd: made });
      const newest = commits[2] as MadeCommit;
      const sent = async (words: string, ...haves: readonly MadeCommit[]): Promise<Buffer> =>
        split(await ask(repo, [newest.oid], idsOf(haves), words)).pack;
      const standsAlone = async (bytes: Buffer): Promise<boolean> => {
        const folder = join(await t.folder(), t.name('client'));
        await t.git(['init', '--quiet', '--bare', folder]);
        return (await t.tryGit(['index-pack', '--stdin'], { cwd: folder, input: bytes })).status === 0;
      };

      for (const [words, foreign] of [
        ['', 6],
        ['ofs-delta', 7],
      ] as const) {
        const bytes = await sent(words);
        assert(await standsAlone(bytes), `Stock git takes a full pack asked for with "${words}".`);
        assert(!readPack(bytes).types.includes(foreign), `With "${words}" no delta of type ${foreign} is sent.`);
        same([bytes.readUInt32BE(4), bytes.readUInt32BE(8)], [2, 9], 'The pack is version 2 and counts its objects.');
        assert(checksumFits(bytes), 'The pack ends with the SHA-1 of what stands before.');
      }
      for (const [i, have] of commits.slice(0, 2).entries()) {
        assert(await standsAlone(await sent('ofs-delta', have)), 'Without thin-pack a pack stands alone.');
        const held = commits.slice(0, i + 1);
        const thin = await sent('thin-pack ofs-delta', have);
        same(
          idsIn(thin, ...held),
          idsOf(commits.slice(i + 1).flatMap(({ all }) => all)),
          'A thin pack holds what is new, and leans only on what the client has.',
        );
      }
      const oldest = split(await ask(repo, [(commits[0] as MadeCommit).oid], [], 'thin-pack ofs-delta')).pack;
      same(
        idsIn(oldest),
        idsOf((commits[0] as MadeCommit).all),
        'A client that has nothing gets a pack that leans on nothing.',
      );
    },
  },
  // The larger one exceeds the size that a service may store separately as small.
  ...[10, 2_200_000].map((size): Case => ({
    id: `git/upload-pack/packs/version-3-${size}`,
    requirements: ['GIT-067', 'GIT-140'],
    level: 'MUST',
    explanation: `A pack of version 3 with ${size} bytes is taken, and its objects are sent in version 2.`,
    async run(t) {
      const file = blob(noise(size));
      const root = tree({ file });
      const head = commit('of version 3', root);
      const bytes = pack(head, root, file);
      bytes.writeUInt32BE(3, 4);
      createHash('sha1')
        .update(bytes.subarray(0, -20))
        .digest()
        .copy(bytes, bytes.length - 20);
      const repo = await t.createRepo();
      await accepted(repo, [set(main, head)], bytes);
      for (const words of [['ofs-delta'], []]) {
        const got = await fetchedPack(repo, [head], [], words);
        assert.equal(got.readUInt32BE(4), 2, 'What is sent is of version 2.');
        same(idsIn(got), idsOf([head, root, file]), 'All of it comes back.');
      }
    },
  })),
);

/** Makes three commits that change one line at the end of a long file. */
function versions(): MadeCommit[] {
  const text = noise(9000, 7).toString('base64');
  const commits: MadeCommit[] = [];
  for (const i of [0, 1, 2]) {
    const file = blob(`${text}\nversion ${i}\n`);
    const root = tree({ file });
    const node = commit(`version ${i}`, root, commits.slice(-1));
    commits.push({ ...node, root, file, all: [node, root, file] });
  }
  return commits;
}
