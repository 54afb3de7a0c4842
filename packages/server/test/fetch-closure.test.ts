import { join } from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { makeSampleRepositories, type SampleRepository } from '@packhouse/fixtures';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { git } from './support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from './support/test-server.ts';
import { fetchBody, packOf, post } from '@packhouse/conformance/tools/wire-client';

interface Hosted extends SampleRepository {
  readonly repo: TestRepo;
  /** Everything a ref reaches, with its kind. */
  readonly objects: readonly { readonly id: string; readonly kind: string }[];
}

let server: TestServer;
let folder: string;
let hosted: readonly Hosted[];
let client: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
  client = join(folder, 'client.git');
  const samples = (await makeSampleRepositories(join(folder, 'samples'))).filter(({ name }) => name !== 'empty');
  const all: Hosted[] = [];
  for (const sample of samples) {
    const repo = await server.createRepo(sample.name);
    await pushInPieces(sample, repo);
    const ids = [...(await reached(sample.path, ['--all'], []))];
    const kinds = await git(['cat-file', '--batch-check'], { cwd: sample.path, input: ids.join('\n') });
    const objects = kinds
      .trim()
      .split('\n')
      .map((line) => ({ id: line.slice(0, 40), kind: line.split(' ')[1] as string }));
    all.push({ ...sample, repo, objects });
  }
  hosted = all;
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

/** One push for each ref, so that the history lies in several packs that lean on each other. */
async function pushInPieces(sample: SampleRepository, repo: TestRepo): Promise<void> {
  const refs = (await git(['for-each-ref', '--format=%(refname)'], { cwd: sample.path })).trim().split('\n');
  for (const ref of refs) {
    const history = (
      await git(['rev-list', '--first-parent', '--reverse', ref], { cwd: sample.path }).catch(() => '')
    ).split('\n');
    const half = history[Math.floor(history.length / 2)] ?? '';
    if (half !== '' && ref.startsWith('refs/heads/'))
      await git([...repo.auth, 'push', repo.remote, `${half}:${ref}`], { cwd: sample.path });
    await git([...repo.auth, 'push', repo.remote, `${ref}:${ref}`], { cwd: sample.path });
  }
}

async function reached(path: string, from: readonly string[], not: readonly string[]): Promise<Set<string>> {
  const args = ['rev-list', '--objects', '--no-object-names', '--stdin'];
  const input = [...from, ...not.map((id) => `^${id}`)].join('\n');
  const list =
    from[0] === '--all'
      ? await git([...args.slice(0, -1), '--all'], { cwd: path })
      : await git(args, { cwd: path, input });
  return new Set(
    list
      .trim()
      .split('\n')
      .filter((id) => id !== ''),
  );
}

const pick = fc.array(fc.nat(), { minLength: 1, maxLength: 4 });

describe('what a fetch sends', () => {
  test.prop([fc.nat(), pick, fc.array(fc.nat(), { maxLength: 4 }), fc.boolean(), fc.boolean()], { numRuns: 60 })(
    'GIT-060, GIT-065, GIT-066, GIT-067, GIT-078: the pack and what the haves reach are just what the wants reach',
    async (sample, wanted, had, thin, ofsDelta) => {
      const { objects, path, repo } = hosted[sample % hosted.length] as Hosted;
      const nodes = objects.filter(({ kind }) => kind === 'commit' || kind === 'tag');
      const commits = objects.filter(({ kind }) => kind === 'commit');
      // Mostly commits and tags, as stock clients want; now and then any object.
      const wants = wanted.map(
        (n, i) => ((i === 3 ? objects[n % objects.length] : nodes[n % nodes.length]) as { id: string }).id,
      );
      const haves = commits.length === 0 ? [] : had.map((n) => (commits[n % commits.length] as { id: string }).id);
      const words = [...(thin ? ['thin-pack'] : []), ...(ofsDelta ? ['ofs-delta'] : [])];
      const { status, body } = await post(repo, fetchBody(wants, haves, words));
      expect(status).toBe(200);
      const pack = packOf(body);

      // A client that has what the haves reach, and nothing else.
      removeFolder(client);
      await git(['init', '--quiet', '--bare', client]);
      if (haves.length > 0) {
        const own = await git(['pack-objects', '--revs', '--quiet', join(client, 'objects/pack/pack')], {
          cwd: path,
          input: haves.join('\n'),
        });
        expect(own.trim()).toHaveLength(40);
      }
      await git(['index-pack', '--stdin', '--fix-thin'], { cwd: client, input: pack });
      const expected = await reached(path, wants, []);
      const held = haves.length > 0 ? await reached(path, haves, []) : new Set<string>();
      const present = await git(['cat-file', '--batch-check', '--batch-all-objects'], { cwd: client });
      const found = new Set(
        present
          .trim()
          .split('\n')
          .map((line) => line.slice(0, 40)),
      );
      for (const id of expected) expect(found, `${id} is missing`).toContain(id);
      for (const id of found) expect(expected.has(id) || held.has(id), `${id} was sent but not wanted`).toBe(true);
      // Nothing declared is sent but what is wanted by id or by tag of a tree or blob, with what that reaches.
      const insisted = await reached(path, await notCommits(path, wants), []);
      const count = pack.readUInt32BE(8);
      const needed = [...expected].filter((id) => !held.has(id) || insisted.has(id)).length;
      expect(count).toBe(needed);
    },
  );
});

async function notCommits(path: string, wants: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (const want of wants) {
    const kind = (await git(['cat-file', '-t', `${want}^{}`], { cwd: path })).trim();
    if (kind !== 'commit') left.push(want);
  }
  return left;
}
