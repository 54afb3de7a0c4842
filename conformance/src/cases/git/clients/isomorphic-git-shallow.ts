/** GIT-173 of docs/specification/git.md with depth: shallow fetches by isomorphic-git. */

import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as isomorphic from 'isomorphic-git';
import { suite, type Suite } from '../../../core/case.ts';
import type { TestRepo } from '../../../core/context.ts';
import { isomorphicHttp, type HttpClient } from '../../../steps/isomorphic-http.ts';
import type { MadeObject } from '../../../tools/made-objects.ts';
import { same } from '../../../tools/same.ts';
import { a, b, c, d, day, e, everything, f, needFeature, shallowRepo, start, x, y } from '../shallow/history.ts';

/** Returns the options of every call, and the requests sent with them. */
function access(repo: TestRepo): {
  remote: { fs: typeof fs; http: HttpClient; url: string; onAuth: () => { username: string; password: string } };
  asked: () => string;
} {
  const bodies: Uint8Array[] = [];
  const [password = ''] = repo.token.split('?');
  const http = isomorphicHttp(repo.fetch);
  const watching: HttpClient = {
    request: async (options) => {
      const parts: Uint8Array[] = [];
      for await (const part of options.body ?? []) parts.push(part);
      bodies.push(...parts);
      return await http.request({ ...options, ...(options.body === undefined ? {} : { body: of(parts) }) });
    },
  };
  return {
    remote: { fs, http: watching, url: repo.remote, onAuth: () => ({ username: 'x', password }) },
    asked: () => Buffer.concat(bodies.splice(0)).toString('latin1'),
  };
}

async function* of(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

const ids = (commits: readonly MadeObject[]): string[] => commits.map(({ oid }) => oid).sort();

/** Returns the commits that a clone reaches from its branch, and its shallow boundary. */
async function stateOf(dir: string): Promise<{ commits: string[]; boundary: string[] }> {
  const log = await isomorphic.log({ fs, dir, ref: 'refs/remotes/origin/main' });
  const text = await fs.promises.readFile(`${dir}/.git/shallow`, 'utf8').catch(() => '');
  return {
    commits: log.map(({ oid }) => oid).sort(),
    boundary: text
      .split('\n')
      .filter((line) => line !== '')
      .sort(),
  };
}

const since = new Date((start + 4 * day) * 1000);

interface Form {
  readonly name: string;
  readonly options: { depth?: number; since?: Date; exclude?: string[] };
  readonly asks: string;
  readonly commits: readonly MadeObject[];
  readonly boundary: readonly MadeObject[];
}

const forms: readonly Form[] = [
  { name: 'depth', options: { depth: 2 }, asks: 'deepen 2', commits: [f, e], boundary: [e] },
  { name: 'since', options: { since }, asks: 'deepen-since ', commits: [f, e, d, y], boundary: [d, y] },
  { name: 'exclude', options: { exclude: ['v1'] }, asks: 'deepen-not v1', commits: [f, e, d, y, x], boundary: [d, x] },
];

export const gitClientsIsomorphicGitShallow: Suite = suite(
  {
    id: 'git/clients/isomorphic-git-shallow',
    requirements: ['GIT-173', 'GIT-072', 'GIT-073'],
    level: 'MUST',
    explanation: 'isomorphic-git clones to a depth, a time and a ref, of one branch.',
    async run(t) {
      const repo = await shallowRepo(t);
      await needFeature(t, repo, 'shallow');
      const { remote, asked } = access(repo);
      for (const { name, options, asks, commits, boundary } of forms) {
        const dir = await t.folder();
        await isomorphic.clone({ ...remote, dir, ref: 'main', singleBranch: true, noCheckout: true, ...options });
        assert.ok(asked().includes(asks), `It asks for "${asks}".`);
        same(await stateOf(dir), { commits: ids(commits), boundary: ids(boundary) }, `Just that comes for ${name}.`);
        const branches = await isomorphic.listBranches({ fs, dir, remote: 'origin' });
        assert.ok(!branches.includes('side'), 'The other branch does not come.');
      }
    },
  },
  {
    id: 'git/clients/isomorphic-git-deepen',
    requirements: ['GIT-173', 'GIT-072', 'GIT-074', 'GIT-076'],
    level: 'MUST',
    explanation: 'isomorphic-git moves the boundary of what it has, by count and from where it is.',
    async run(t) {
      const repo = await shallowRepo(t);
      await needFeature(t, repo, 'shallow');
      const { remote, asked } = access(repo);
      const dir = await t.folder();
      const fetch = { ...remote, dir, ref: 'main', singleBranch: true };
      await isomorphic.clone({ ...fetch, depth: 1 });
      same(await stateOf(dir), { commits: ids([f]), boundary: ids([f]) }, 'One commit comes.');
      asked();
      await isomorphic.fetch({ ...fetch, depth: 2, relative: true });
      assert.ok(asked().includes('deepen-relative'), 'It asks from where it is.');
      same(await stateOf(dir), { commits: ids([f, e, d, y]), boundary: ids([d, y]) }, 'Two more generations come.');
      await isomorphic.fetch({ ...fetch, depth: 4 });
      same(await stateOf(dir), { commits: ids([f, e, d, y, c, x]), boundary: ids([c, x]) }, 'It has four of them.');
      await isomorphic.fetch({ ...fetch, depth: 2_147_483_647 });
      same((await stateOf(dir)).commits, ids(everything), 'It has all of them.');
      for (const oid of [f, b, a].map((object) => object.oid)) {
        const { oid: found } = await isomorphic.readObject({ fs, dir, oid });
        assert.equal(found, oid, 'What is behind the boundary is there.');
      }
    },
  },
);
