/**
 * Shallow clones by stock git, GIT-170 of docs/specification/git.md. The results are compared with those of stock git's
 * own server.
 */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, type Case, type Suite } from '../../../core/case.ts';
import type { Context } from '../../../core/context.ts';
import { same } from '../../../tools/same.ts';
import {
  commitFile,
  revision,
  someVersions,
  speaking,
  traced,
  type ProtocolVersion,
} from '../../../steps/work-tree.ts';
import { day, pushHistory, start } from './pushed-original.ts';
import { needFeature, needWantsById } from '../shallow/history.ts';

/** Returns the commits of a clone, and its shallow boundary. */
async function stateOf(
  t: Context,
  cwd: string,
  gitFolder = '.git',
): Promise<{ commits: string[]; boundary: string[] }> {
  const lines = (text: string): string[] => text.trim().split('\n').sort();
  const commits = lines(await t.git(['rev-list', '--all'], { cwd }));
  const boundary = await readFile(join(cwd, gitFolder, 'shallow'), 'utf8').catch(() => '');
  // A shallow line for an unreachable commit has no effect, and stock git sends some.
  return { commits, boundary: lines(boundary).filter((oid) => commits.includes(oid)) };
}

/** A clone with some options, and perhaps a later fetch. */
interface Form {
  readonly id: string;
  readonly requirements: readonly string[];
  readonly explanation: string;
  readonly clone: readonly string[];
  readonly fetch?: readonly string[];
  /** The beginning of a packet, or one of the words, in the client's last command. */
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
    id: 'fetch-depth',
    requirements: ['GIT-072', 'GIT-076'],
    explanation: 'git fetch --depth brings more of the history',
    clone: ['--depth=1'],
    fetch: ['--depth=4'],
    asks: 'deepen 4',
  },
  {
    id: 'cut-down',
    requirements: ['GIT-072', 'GIT-076'],
    explanation: 'git fetch --depth cuts off what a full clone has',
    clone: [],
    fetch: ['--depth=2'],
    asks: 'deepen 2',
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
  {
    id: 'fetch-since',
    requirements: ['GIT-073', 'GIT-076'],
    explanation: 'git fetch --shallow-since moves the boundary of a shallow clone to a time',
    clone: ['--depth=1'],
    fetch: [`--shallow-since=${start + 5 * day - 1}`],
    asks: `deepen-since ${start + 5 * day - 1}`,
  },
  {
    id: 'fetch-exclude',
    requirements: ['GIT-073', 'GIT-076'],
    explanation: 'git fetch --shallow-exclude moves the boundary of a shallow clone to what a tag reaches',
    clone: ['--depth=1'],
    fetch: ['--shallow-exclude=old'],
    asks: 'deepen-not ',
  },
];

function shallow({ id, requirements, explanation, clone, fetch, asks }: Form): Case {
  return {
    id: `git/clients/${id}`,
    requirements: ['GIT-170', ...requirements],
    level: 'MUST',
    needs: ['git'],
    explanation: `${explanation}, in version 2 and an older one, as of stock git.`,
    async run(t) {
      const { repo, original } = await pushHistory(t);
      await needFeature(t, repo, 'shallow');
      const asOf = async (remote: string, version: ProtocolVersion): Promise<string> => {
        const git = speaking(version, repo);
        const cwd = await t.folder();
        let last = await traced(t, [...git, 'clone', ...clone, remote, '.'], cwd);
        assert.equal(last.status, 0, `git clone ${clone.join(' ')} succeeds with protocol.version ${version}.`);
        if (fetch !== undefined) {
          last = await traced(t, [...git, 'fetch', ...fetch, 'origin'], cwd);
          assert.equal(last.status, 0, `git fetch ${fetch.join(' ')} succeeds with protocol.version ${version}.`);
        }
        const asked = last.sent.some((packet) => packet.startsWith(asks) || packet.includes(` ${asks} `));
        assert.ok(asked, `It asks for "${asks}" with protocol.version ${version}.`);
        return cwd;
      };
      const expected = await stateOf(t, await asOf(`file://${original}`, '2'));
      for (const version of someVersions(t)) {
        const cwd = await asOf(repo.remote, version);
        const what = `Commits and boundary are those of stock git with protocol.version ${version}.`;
        same(await stateOf(t, cwd), expected, what);
        await t.git(['fsck', '--full', '--strict'], { cwd });
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
    explanation: 'git fetch --depth=1 brings a single commit by its id, in version 2 and an older one.',
    async run(t) {
      const { repo, original } = await pushHistory(t);
      await needFeature(t, repo, 'shallow');
      await needWantsById(t, repo);
      const oid = await revision(t, original, 'main~3');
      for (const version of someVersions(t)) {
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
    id: 'git/clients/shallow-grows',
    requirements: ['GIT-170', 'GIT-065', 'GIT-076'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'A shallow clone fetches what is new on top of what it has, in version 2 and an older one.',
    async run(t) {
      const { repo, original } = await pushHistory(t);
      await needFeature(t, repo, 'shallow');
      const work = await t.folder();
      await t.git(['clone', '--quiet', original, '.'], { cwd: work });
      for (const version of someVersions(t)) {
        const git = speaking(version, repo);
        const copy = await t.folder();
        await t.git([...git, 'clone', '--quiet', '--depth=2', repo.remote, '.'], { cwd: copy });
        const oid = await commitFile(t, work, 'new', `new with ${version}`);
        await t.git([...git, 'push', '--quiet', repo.remote, 'main'], { cwd: work });
        const { status, sent } = await traced(t, [...git, 'fetch', 'origin'], copy);
        assert.equal(status, 0, `git fetch succeeds with protocol.version ${version}.`);
        assert.ok(
          sent.some((packet) => packet.startsWith('shallow ')),
          'It tells where it is cut off.',
        );
        assert.equal(await revision(t, copy, 'origin/main'), oid, 'The new commit came.');
        assert.equal((await stateOf(t, copy)).commits.length, 3, 'It came alone.');
        await t.git(['fsck', '--full', '--strict'], { cwd: copy });
      }
    },
  },
  {
    id: 'git/clients/shallow-pushes',
    requirements: ['GIT-170', 'GIT-119', 'GIT-175'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'A shallow clone pushes back, and the service has it all, in version 2 and an older one.',
    async run(t) {
      const { repo } = await pushHistory(t);
      await needFeature(t, repo, 'shallow');
      for (const [i, version] of someVersions(t).entries()) {
        const git = speaking(version, repo);
        const [copy, mirror] = [await t.folder(), await t.folder()];
        await t.git([...git, 'clone', '--quiet', '--depth=1', repo.remote, '.'], { cwd: copy });
        const boundary = await revision(t, copy, 'HEAD');
        const oid = await commitFile(t, copy, 'large', `no longer ${version}`);
        const { status, sent } = await traced(t, [...git, 'push', 'origin', 'main', 'main:side'], copy);
        assert.equal(status, 0, `git push succeeds with protocol.version ${version}.`);
        assert.ok(sent.includes(`shallow ${boundary}`), 'It tells where it is cut off.');
        await t.git([...git, 'clone', '--quiet', '--mirror', repo.remote, '.'], { cwd: mirror });
        for (const branch of ['main', 'side']) assert.equal(await revision(t, mirror, branch), oid, 'It is there.');
        assert.equal((await stateOf(t, mirror, '.')).commits.length, 11 + i, 'On top of the whole history.');
        await t.git(['fsck', '--full', '--strict'], { cwd: mirror });
      }
    },
  },
  {
    id: 'git/clients/shallow-push-refused',
    requirements: ['GIT-170', 'GIT-119'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'A shallow clone that is pushed to another repo is refused for its boundary, and git shows it.',
    async run(t) {
      const { repo } = await pushHistory(t);
      await needFeature(t, repo, 'shallow');
      for (const version of someVersions(t)) {
        const other = await t.createRepo();
        const copy = await t.folder();
        await t.git([...speaking(version, repo), 'clone', '--quiet', '--depth=1', repo.remote, '.'], { cwd: copy });
        const push = [...speaking(version, other), 'push', other.remote, 'main'];
        const { status, stderr } = await t.tryGit(push, { cwd: copy });
        assert.equal(status, 1, `git push fails with protocol.version ${version}.`);
        assert.match(stderr, /shallow update not allowed/, 'It shows why.');
        const listed = await t.git([...speaking(version, other), 'ls-remote', other.remote]);
        assert.equal(listed, '', 'No ref was made.');
      }
    },
  },
);
