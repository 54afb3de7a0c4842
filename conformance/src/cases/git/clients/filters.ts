/**
 * Partial clones by stock git: GIT-170 with section 5 of docs/specification/git.md, compared with those of stock git's
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
  type Traced,
} from '../../../steps/work-tree.ts';
import { pushHistory, type Places } from './pushed-original.ts';
import { needFeature, needWantsById } from '../shallow/history.ts';

/** Returns every object in a repository, with its kind. */
async function objectsIn(t: Context, cwd: string): Promise<string[]> {
  const check = ['cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype)'];
  return (await t.git(check, { cwd })).trim().split('\n');
}

/** Returns ids that the refs reach and that are missing. Does not look behind missing objects. */
async function missingIn(t: Context, cwd: string, ref = 'origin/main'): Promise<string[]> {
  const listed = await t.git(['rev-list', '--objects', '--missing=print', '--no-object-names', ref], { cwd });
  return listed.split('\n').flatMap((line) => (line.startsWith('?') ? [line.slice(1)] : []));
}

async function partialClone(
  t: Context,
  remote: string,
  git: readonly string[],
  ...options: readonly string[]
): Promise<{ cwd: string; clone: Traced }> {
  const cwd = await t.folder();
  const clone = await traced(t, [...git, 'clone', '--no-checkout', ...options, remote, '.'], cwd);
  assert.equal(clone.status, 0, `git clone ${options.join(' ')} succeeds: ${clone.stderr}`);
  return { cwd, clone };
}

/** Returns how many requests asked for packs, and the wanted ids. */
function asked({ sent, headers }: Traced): { requests: number; wants: string[] } {
  const posts = headers.filter((line) => /^post .*\/git-upload-pack /.test(line)).length;
  const wants = sent.flatMap((packet) => /^want ([0-9a-f]{40})/.exec(packet)?.[1] ?? []);
  // Version 2 also posts what lists refs. A server without it answers in version 0.
  return { requests: sent.filter((packet) => packet === 'command=fetch').length || posts, wants };
}

const forms = [
  { id: 'blob-none', requirements: ['GIT-080'], filters: ['blob:none'] },
  { id: 'blob-limit', requirements: ['GIT-080'], filters: ['blob:limit=1024'] },
  { id: 'tree-0', requirements: ['GIT-081'], filters: ['tree:0'] },
  { id: 'tree-2', requirements: ['GIT-081'], filters: ['tree:2'] },
  { id: 'object-type', requirements: ['GIT-082'], filters: ['object:type=tree'] },
  { id: 'sparse-oid', requirements: ['GIT-083'], filters: ['sparse:oid=main:sparse'] },
  { id: 'combine', requirements: ['GIT-084'], filters: ['blob:none', 'tree:3'] },
] as const;

type Step = (t: Context, places: Places, version: ProtocolVersion) => Promise<void>;

/** Declares a case that runs its steps in each version of the protocol, in the same repo. */
function each(id: string, requirements: readonly string[], explanation: string, run: Step): Case {
  return {
    id: `git/clients/${id}`,
    requirements: ['GIT-170', ...requirements],
    level: 'MUST',
    needs: ['git'],
    explanation: `${explanation}, in version 2 and an older one.`,
    async run(t) {
      const places = await pushHistory(t);
      await needFeature(t, places.repo, 'filter');
      await needWantsById(t, places.repo);
      for (const version of someVersions(t)) await run(t, places, version);
    },
  };
}

const clones = forms.map(({ id, requirements, filters }): Case => ({
  id: `git/clients/filter-${id}`,
  requirements: ['GIT-170', ...requirements],
  level: 'MUST',
  needs: ['git'],
  explanation: `git clone --filter=${filters.join(' --filter=')} brings what stock git sends, in version 2 and an older one.`,
  async run(t) {
    const { repo, original } = await pushHistory(t);
    await needFeature(t, repo, 'filter');
    const options = filters.map((filter) => `--filter=${filter}`);
    const { cwd: other } = await partialClone(t, `file://${original}`, ['-c', 'protocol.version=2'], ...options);
    const expected = await objectsIn(t, other);
    const spec = filters.length === 1 ? filters[0] : `combine:${filters.join('+')}`;
    for (const version of someVersions(t)) {
      const { cwd, clone } = await partialClone(t, repo.remote, speaking(version, repo), ...options);
      assert.ok(clone.sent.includes(`filter ${spec}`), `It asks for ${spec} with protocol.version ${version}.`);
      assert.ok(!clone.stderr.includes('filtering not recognized'), 'The service knows filters.');
      same(await objectsIn(t, cwd), expected, `Just that comes with protocol.version ${version}.`);
      await t.git(['fsck', '--full', '--strict'], { cwd });
    }
  },
}));

export const gitClientsFilters: Suite = suite(
  ...clones,
  each(
    'lazy-one-by-one',
    ['GIT-086', 'GIT-060'],
    'Objects that a filter left out come one by one when they are looked at',
    async (t, { repo, original }, version) => {
      const git = speaking(version, repo);
      for (const filter of ['blob:none', 'tree:0']) {
        const { cwd } = await partialClone(t, repo.remote, git, `--filter=${filter}`);
        for (const path of ['f5', 'dir/deep/er/f', 'large']) {
          const oid = await revision(t, original, `main~3:${path}`);
          const shown = await traced(t, [...git, 'cat-file', '-e', `origin/main~3:${path}`], cwd);
          assert.equal(shown.status, 0, `${path} of a commit is there: ${shown.stderr}`);
          const { wants } = asked(shown);
          if (filter === 'blob:none') same(wants, [oid], 'It is asked for by its id, alone.');
          else assert.ok(wants.length > 0, 'The trees on the way are asked for.');
          const whole = await t.git(['cat-file', 'blob', oid], { cwd: original });
          assert.equal(await t.git([...git, 'cat-file', 'blob', oid], { cwd }), whole, 'It is the file.');
        }
        await t.git(['fsck', '--full', '--strict'], { cwd });
      }
    },
  ),
  each(
    'lazy-in-batches',
    ['GIT-086', 'GIT-060'],
    'A checkout brings what it needs in one request, and a list of ids all that is missing',
    async (t, { repo, original }, version) => {
      const git = speaking(version, repo);
      const { cwd } = await partialClone(t, repo.remote, git, '--filter=blob:none');
      const checkout = await traced(t, [...git, 'checkout', '--quiet', 'main'], cwd);
      assert.equal(checkout.status, 0, `git checkout succeeds: ${checkout.stderr}`);
      const { requests, wants } = asked(checkout);
      assert.equal(requests, 1, 'One request brings all files.');
      assert.ok(wants.length > 8, `They are asked for by their ids: ${wants.length}`);
      assert.equal(await readFile(join(cwd, 'f8'), 'utf8'), '8', 'The files are checked out.');
      const missing = await missingIn(t, cwd);
      assert.ok(missing.length > 5, 'Older files are missing still.');
      // The command that git itself runs if it needs many objects: promisor-remote.c.
      const all = ['-c', 'fetch.negotiationAlgorithm=noop', 'fetch', 'origin', '--no-tags', '--no-write-fetch-head'];
      await t.git([...git, ...all, '--filter=blob:none', '--stdin'], { cwd, input: missing.join('\n') });
      same(await missingIn(t, cwd), [], 'A list of ids brings them.');
      same((await objectsIn(t, cwd)).length, (await objectsIn(t, original)).length, 'Nothing is missing any more.');
      await t.git(['fsck', '--full', '--strict'], { cwd });
    },
  ),
  each(
    'refetch',
    ['GIT-086', 'GIT-093'],
    'git fetch --refetch brings all again as if nothing were there, by another filter',
    async (t, { repo, original }, version) => {
      const git = speaking(version, repo);
      const { cwd } = await partialClone(t, repo.remote, git, '--filter=tree:0');
      // A garbage collection in the background would disturb the next look at the clone.
      const still = ['-c', 'gc.auto=0'];
      const refetch = await traced(
        t,
        [...git, ...still, 'fetch', '--refetch', '--filter=blob:limit=1048576', 'origin'],
        cwd,
      );
      assert.equal(refetch.status, 0, `git fetch --refetch succeeds: ${refetch.stderr}`);
      assert.ok(refetch.sent.includes('filter blob:limit=1048576'), 'It asks for the other filter.');
      assert.ok(!refetch.sent.some((packet) => packet.startsWith('have ')), 'It tells of nothing that it has.');
      same(await missingIn(t, cwd), [], 'Nothing is missing any more.');
      same(await objectsIn(t, cwd), await objectsIn(t, original), 'All of it is there.');
      await t.git(['fsck', '--full', '--strict'], { cwd });
    },
  ),
  each(
    'partial-grows-and-pushes',
    ['GIT-087', 'GIT-065', 'GIT-119'],
    'A partial clone fetches what changed in files that it lacks, and pushes without ever having had them',
    async (t, { repo }, version) => {
      const git = speaking(version, repo);
      const { cwd } = await partialClone(t, repo.remote, git, '--filter=blob:none');
      const [work, mirror] = [await t.folder(), await t.folder()];
      await t.git([...git, 'clone', '--quiet', repo.remote, '.'], { cwd: work });
      await commitFile(t, work, 'large', `${await readFile(join(work, 'large'), 'utf8')}and more\n`);
      await t.git([...git, 'push', '--quiet', repo.remote, 'main'], { cwd: work });
      // From now on the filter lets files through whose older versions are missing.
      await t.git(['config', 'remote.origin.partialclonefilter', 'blob:limit=1048576'], { cwd });
      const fetched = await traced(t, [...git, 'fetch', 'origin'], cwd);
      assert.equal(fetched.status, 0, `git fetch succeeds: ${fetched.stderr}`);
      assert.ok(fetched.sent.includes('filter blob:limit=1048576'), 'It asks for the filter.');
      await t.git(['fsck', '--full', '--strict'], { cwd });

      // A commit on top that changes one file, and knows the other files only by id.
      await t.git([...git, 'read-tree', 'origin/main'], { cwd });
      const added = await t.git(['hash-object', '-w', '--stdin'], { cwd, input: `added with ${version}\n` });
      await t.git(['update-index', '--add', '--cacheinfo', `100644,${added.trim()},dir/added-${version}`], { cwd });
      const root = (await t.git(['write-tree', '--missing-ok'], { cwd })).trim();
      const oid = (await t.git(['commit-tree', '-p', 'origin/main', '-m', 'added', root], { cwd })).trim();
      const pushed = await traced(t, [...git, 'push', 'origin', `${oid}:refs/heads/main`], cwd);
      assert.equal(pushed.status, 0, `git push succeeds: ${pushed.stderr}`);
      assert.ok((await missingIn(t, cwd)).length > 5, 'What was missing is missing still.');
      await t.git([...git, 'clone', '--quiet', '--mirror', repo.remote, '.'], { cwd: mirror });
      assert.equal(await revision(t, mirror, 'main'), oid, 'The service has the commit.');
      await t.git(['fsck', '--full', '--strict'], { cwd: mirror });
    },
  ),
  each(
    'partial-and-shallow',
    ['GIT-065', 'GIT-072', 'GIT-080', 'GIT-086'],
    'A clone may be partial and shallow at once, deepen, and check out',
    async (t, { repo, original }, version) => {
      const git = speaking(version, repo);
      const { cwd, clone } = await partialClone(t, repo.remote, git, '--filter=blob:none', '--depth=1');
      assert.ok(clone.sent.includes('filter blob:none') && clone.sent.includes('deepen 1'), 'It asks for both.');
      await t.git([...git, 'fetch', '--quiet', '--deepen=2', 'origin'], { cwd });
      await t.git([...git, 'checkout', '--quiet', 'main'], { cwd });
      assert.equal(await readFile(join(cwd, 'f8'), 'utf8'), '8', 'The files are checked out.');
      await t.git([...git, 'fetch', '--quiet', '--unshallow', 'origin'], { cwd });
      const listed = (folder: string): Promise<string> => t.git(['rev-list', 'main'], { cwd: folder });
      assert.equal(await listed(cwd), await listed(original), 'All commits are there.');
      await t.git(['fsck', '--full', '--strict'], { cwd });
    },
  ),
);
