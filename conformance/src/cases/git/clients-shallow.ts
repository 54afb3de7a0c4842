/**
 * The part of GIT-170 of docs/specification/git.md that not every service has: shallow and partial clones by stock git.
 * What comes is compared with what stock git gets of stock git.
 */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, type Case, type Suite } from '../../core/case.ts';
import type { Context, TestRepo } from '../../core/context.ts';
import { fetchFeatures } from '../../tools/advertised.ts';
import { same } from '../../tools/same.ts';
import { protocolVersions, revision, speaking, traced } from '../../tools/work-tree.ts';

/** The first commit, in Unix seconds; each further one is a day later. */
const start = 1_600_000_000;
const day = 86_400;

interface Places {
  readonly repo: TestRepo;
  /** A bare repository with the same history. */
  readonly original: string;
}

/** Pushes eight commits in a row with a tag at the third. */
async function pushHistory(t: Context, version: (typeof protocolVersions)[number]): Promise<Places> {
  const repo = await t.createRepo();
  const original = await t.folder();
  await t.git(['init', '--quiet', '--bare', '--initial-branch=main', original]);
  const script = Array.from({ length: 8 }, (_, i) =>
    [
      'commit refs/heads/main',
      `mark :${i + 1}`,
      `committer A <a@x> ${start + i * day} +0000`,
      `data 0\n${i === 0 ? '' : `from :${i}\n`}M 644 inline f${i}\ndata 1\n${i}`,
    ].join('\n'),
  );
  const tag = 'reset refs/tags/old\nfrom :3\n';
  await t.git(['fast-import', '--quiet'], { cwd: original, input: `${script.join('\n')}\n${tag}` });
  for (const setting of ['uploadpack.allowFilter', 'uploadpack.allowAnySHA1InWant'])
    await t.git(['config', setting, 'true'], { cwd: original });
  await t.git([...speaking(version, repo), 'push', '--quiet', repo.remote, 'main', 'old'], { cwd: original });
  return { repo, original };
}

/** Ends the case unless the service has a feature of `fetch`. */
async function needFeature(t: Context, feature: string): Promise<void> {
  const features = await fetchFeatures(await t.createRepo());
  if (!features.includes(feature))
    t.unsupported(`${feature} is not advertised: fetch of version 2 has ${features.join(', ') || 'no features'}`);
}

/** Which commits a clone has, and where it is cut off. */
async function stateOf(t: Context, cwd: string): Promise<{ commits: string[]; boundary: string[] }> {
  const lines = (text: string): string[] => text.trim().split('\n').sort();
  const commits = await t.git(['rev-list', '--all'], { cwd });
  const boundary = await readFile(join(cwd, '.git', 'shallow'), 'utf8').catch(() => '');
  return { commits: lines(commits), boundary: lines(boundary) };
}

/** A clone with some options, and perhaps a fetch after it. */
interface Form {
  readonly id: string;
  readonly requirements: readonly string[];
  readonly explanation: string;
  readonly clone: readonly string[];
  readonly fetch?: readonly string[];
  /** What a packet of the client's last command begins with. */
  readonly asks: string;
}

const forms: readonly Form[] = [
  {
    id: 'depth',
    requirements: ['GIT-072'],
    explanation: 'git clone --depth brings that many commits',
    clone: ['--depth=2'],
    asks: 'deepen 2',
  },
  {
    id: 'deepen',
    requirements: ['GIT-074', 'GIT-076'],
    explanation: 'git fetch --deepen moves the boundary of a shallow clone',
    clone: ['--depth=1'],
    fetch: ['--deepen=3'],
    asks: 'deepen-relative',
  },
  {
    id: 'unshallow',
    requirements: ['GIT-072', 'GIT-076'],
    explanation: 'git fetch --unshallow brings the rest of the history',
    clone: ['--depth=3'],
    fetch: ['--unshallow'],
    asks: 'deepen 2147483647',
  },
  {
    id: 'shallow-since',
    requirements: ['GIT-073'],
    explanation: 'git clone --shallow-since brings what is newer than a time',
    clone: [`--shallow-since=${start + 4 * day - 1}`],
    asks: `deepen-since ${start + 4 * day - 1}`,
  },
  {
    id: 'shallow-exclude',
    requirements: ['GIT-073'],
    explanation: 'git clone --shallow-exclude leaves out what a tag reaches',
    clone: ['--shallow-exclude=old'],
    asks: 'deepen-not ',
  },
];

function shallow({ id, requirements, explanation, clone, fetch, asks }: Form): Case {
  return {
    id: `git/clients/${id}`,
    requirements: ['GIT-170', ...requirements],
    level: 'MUST',
    needs: ['git'],
    explanation: `${explanation}, in every version, as of stock git.`,
    async run(t) {
      await needFeature(t, 'shallow');
      for (const version of protocolVersions) {
        const { repo, original } = await pushHistory(t, version);
        const git = speaking(version, repo);
        const folders = [];
        for (const remote of [repo.remote, `file://${original}`]) {
          const cwd = await t.folder();
          folders.push(cwd);
          let last = await traced(t, [...git, 'clone', ...clone, remote, '.'], cwd);
          assert.equal(last.status, 0, `git clone ${clone.join(' ')} succeeds with protocol.version ${version}.`);
          if (fetch !== undefined) {
            last = await traced(t, [...git, 'fetch', ...fetch, 'origin'], cwd);
            assert.equal(last.status, 0, `git fetch ${fetch.join(' ')} succeeds with protocol.version ${version}.`);
          }
          const asked = last.sent.some((packet) => packet.startsWith(asks) || packet.includes(` ${asks} `));
          assert.ok(asked, `It asks for "${asks}" with protocol.version ${version}.`);
        }
        const [got, expected] = await Promise.all(folders.map((cwd) => stateOf(t, cwd)));
        same(got, expected, `Commits and boundary are those of stock git with protocol.version ${version}.`);
        await t.git(['fsck', '--full', '--strict'], { cwd: folders[0] as string });
      }
    },
  };
}

export const gitClientsShallow: Suite = suite(
  ...forms.map(shallow),
  {
    id: 'git/clients/depth-by-id',
    requirements: ['GIT-077', 'GIT-060', 'GIT-170'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'git fetch --depth=1 brings a single commit by its id, in every version.',
    async run(t) {
      await needFeature(t, 'shallow');
      for (const version of protocolVersions) {
        const { repo, original } = await pushHistory(t, version);
        const oid = await revision(t, original, 'main~3');
        const cwd = await t.folder();
        await t.git(['init', '--quiet', cwd]);
        const fetch = [...speaking(version, repo), 'fetch', '--quiet', '--depth=1', repo.remote, oid];
        const { status, sent } = await traced(t, fetch, cwd);
        assert.equal(status, 0, `git fetch succeeds with protocol.version ${version}.`);
        assert.ok(sent.includes('deepen 1'), 'It asks for the depth.');
        const commits = (await t.git(['rev-list', 'FETCH_HEAD'], { cwd })).trim().split('\n');
        same(commits, [oid], `The commit comes alone with protocol.version ${version}.`);
        await t.git(['fsck', '--full', '--strict'], { cwd });
      }
    },
  },
  {
    id: 'git/clients/filter',
    requirements: ['GIT-170', 'GIT-080', 'GIT-086'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'git clone --filter=blob:none leaves out blobs, and a checkout brings what it needs.',
    async run(t) {
      await needFeature(t, 'filter');
      const { repo, original } = await pushHistory(t, '2');
      const git = speaking('2', repo);
      const cwd = await t.folder();
      const clone = [...git, 'clone', '--filter=blob:none', '--no-checkout', repo.remote, '.'];
      const { status, sent } = await traced(t, clone, cwd);
      assert.equal(status, 0, 'git clone --filter=blob:none succeeds.');
      assert.ok(sent.includes('filter blob:none'), 'It asks the service for the filter.');
      const kinds = async (folder: string): Promise<string[]> => {
        const check = ['cat-file', '--batch-all-objects', '--batch-check=%(objecttype) %(objectname)'];
        return (await t.git(check, { cwd: folder })).trim().split('\n');
      };
      const expected = (await kinds(original)).filter((line) => !line.startsWith('blob'));
      same(await kinds(cwd), expected, 'Everything came but the blobs.');
      await t.git([...git, 'checkout', '--quiet', 'main'], { cwd });
      assert.equal(await readFile(join(cwd, 'f7'), 'utf8'), '7', 'The checkout has its files.');
      assert.equal(await revision(t, cwd, 'HEAD'), await revision(t, original, 'main'), 'It is at the branch.');
    },
  },
);
