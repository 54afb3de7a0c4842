/** REPO-127 to REPO-133 of docs/specification/repositories.md: remotes that answer differently from stock Git. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context } from '../../../core/context.ts';
import type { RemoteAnswer } from '../../../core/import-remote.ts';
import { pathOf } from '../../../steps/content.ts';
import {
  askForImport,
  expectNoImport,
  failures,
  imported,
  needsAuthentication,
  servedHistory,
} from '../../../steps/imports.ts';
import { blob, change, commit, tree } from '../../../tools/made-objects.ts';
import { noise } from '../../../tools/noise.ts';
import { same } from '../../../tools/same.ts';
import { discover, flush, post } from '../../../tools/wire-client.ts';
import { assertFailure, assertRefused, assertSuccess, failures as others, repoExists } from '../../../steps/replies.ts';
import { only, soonCollected, tightSettings } from '../../../steps/settings.ts';
import { assertApart } from '../../../steps/values.ts';

const first = change('one');
const second = change('two', first);
/** Too large to be stored with other objects, so it is stored while it arrives. */
const file = blob(noise(1_800_000));
const root = tree({ file });
const large = commit('large', root, [second]);
const history = {
  refs: new Map([
    ['refs/heads/main', large],
    ['refs/heads/old', first],
  ]),
  objects: new Map([...first.all, ...second.all, large, root, file].map((object) => [object.oid, object])),
};

const status =
  (code: number): RemoteAnswer =>
  () =>
    new Response('no', { status: code });
const movedTo =
  (location: string): RemoteAnswer =>
  () =>
    new Response(null, { status: 302, headers: { location } });

/** Answers like stock Git, with another pack. */
const withPack =
  (change: (pack: Uint8Array) => Uint8Array | ReadableStream<Uint8Array>): RemoteAnswer =>
  async (_, stock) => {
    const reply = await stock();
    const bytes = new Uint8Array(await reply.arrayBuffer());
    const isPack = Buffer.from(bytes.subarray(0, 100)).includes('packfile\n');
    const headers = { 'content-type': String(reply.headers.get('content-type')) };
    return new Response((isPack ? change(bytes) : bytes) as BodyInit, { headers });
  };

const breaking = (bytes: Uint8Array): ReadableStream<Uint8Array> => {
  return new ReadableStream({
    start: (controller) => controller.enqueue(bytes.slice(0, 200_000)),
    pull: (controller) => controller.error(new Error('the connection breaks')),
  });
};

/** Creates a remote that answers in this way. Returns its URL without `.git`. */
function answering(t: Context, by: RemoteAnswer): string {
  const name = t.name('remote');
  t.importRemote.answer(name, by);
  return `${t.importRemote.origin}/${name}`;
}

export const importRemotes: Suite = suite(
  {
    id: 'rest/imports/refusing-remotes',
    requirements: ['REPO-126', 'REPO-127', 'REPO-128', 'REPO-133', 'REPO-166', 'REPO-167', 'REPO-173'],
    level: 'MUST',
    needs: ['import remote', 'git'],
    explanation: 'What a remote answers instead of a repository is told by code, and leaves nothing.',
    run: async (t) => {
      const none = `${t.importRemote.origin}/${t.name('nowhere')}`;
      await expectNoImport(t, { url: none }, failures.notFound, 'a repository that is not there');
      const silent = new URL(t.importRemote.origin);
      silent.port = '1';
      await expectNoImport(t, { url: `${silent.origin}/x` }, failures.unavailable, 'a port where nobody listens');
      for (const [answer, failure] of [
        [status(404), failures.notFound],
        [status(410), failures.notFound],
        [status(400), failures.noRemote],
        [() => new Response('<html>', { headers: { 'content-type': 'text/html' } }), failures.noRemote],
        [status(503), failures.unavailable],
      ] as const) {
        await expectNoImport(t, { url: answering(t, answer) }, failure, `a remote that answers ${failure.message}`);
      }
      for (const code of [401, 403]) {
        const url = answering(t, status(code));
        await expectNoImport(t, { url }, needsAuthentication(url, code), `a remote that answers ${code}`);
        await expectNoImport(t, { url: `${url}.git` }, needsAuthentication(url, code), `${code}, with .git`);
      }
      const url = `${t.importRemote.origin}/${await servedHistory(t, history)}`;
      await expectNoImport(t, { url, branch: 'nowhere' }, failures.noBranch, 'a branch that is not there');
      await expectNoImport(t, { url, branch: 'mai' }, failures.noBranch, 'a part of the name of a branch');
    },
  },
  {
    id: 'rest/imports/broken-packs',
    requirements: ['GIT-142', 'GIT-148', 'REPO-045', 'REPO-079', 'REPO-113', 'REPO-125', 'REPO-128', 'REPO-133'],
    level: 'MUST',
    needs: ['import remote', 'git'],
    explanation: 'A pack that is changed, ends early or breaks off leaves nothing, and the same import succeeds later.',
    run: async (t) => {
      const name = await servedHistory(t, history);
      const url = `${t.importRemote.origin}/${name}`;
      for (const [what, change] of [
        ['breaks off', breaking],
        ['is changed', (bytes: Uint8Array) => bytes.with(bytes.length - 1_000_000, 1 ^ Number(bytes.at(-1_000_000)))],
      ] as const) {
        t.importRemote.answer(name, withPack(change));
        await expectNoImport(t, { url }, failures.unavailable, `a pack that ${what}`);
      }
      t.importRemote.answer(name, (_, stock) => stock());
      const repo = await imported(t, { url, description: 'a copy', read_only: true });
      assert.deepEqual((await discover(repo)).status, 200, 'expected the repo to be served');
      const info = assertSuccess(await t.rest('GET', pathOf(repo)), 200, 'GET of the import');
      assert.deepEqual([info.description, info.read_only], ['a copy', true], 'expected what was asked for');
      const tokens = assertSuccess(await t.rest('GET', `${pathOf(repo)}/tokens`), 200, 'the list of tokens');
      assert.deepEqual([tokens.length, tokens[0]?.scope], [1, 'write'], 'expected one token that may write');
      assertApart(tokens[0].created_at, tokens[0].expires_at, 86_400, 'the default lifetime of a token');
    },
  },
  {
    id: 'rest/imports/redirects',
    requirements: ['REPO-058', 'REPO-129', 'REPO-130', 'REPO-133'],
    level: 'MUST',
    beyond: true,
    needs: ['import remote', 'git'],
    explanation:
      'Up to 5 redirects are followed, over HTTPS and to public addresses alone; the default branch is that of HEAD.',
    run: async (t) => {
      const { origin } = t.importRemote;
      const name = await servedHistory(t, history);
      let to = `${origin}/${name}.git`;
      const hops: string[] = [];
      for (let hop = 0; hop < 6; hop++) {
        const url = answering(t, movedTo(`${to}/info/refs?service=git-upload-pack`));
        hops.push(url);
        to = `${url}.git`;
      }
      await t.git(['symbolic-ref', 'HEAD', 'refs/heads/old'], { cwd: join(t.importRemote.folder, `${name}.git`) });
      const repo = await imported(t, { url: hops[4] });
      assert.equal(repo.defaultBranch, 'old', 'expected the branch that HEAD of the remote names');
      const { source } = assertSuccess(await t.rest('GET', pathOf(repo)), 200, 'GET of the import');
      assert.equal(source, `git:${hops[4]}.git`, 'expected the URL that was asked for as source');
      const port = new URL(origin).port;
      for (const [what, url] of [
        ['6 redirects', String(hops[5])],
        ...[
          `https://127.0.0.1:${port}/${name}.git/info/refs`,
          'https://169.254.169.254/x/info/refs',
          `http://localhost:${port}/${name}.git/info/refs`,
          `${origin}/${name}.git`,
        ].map((location) => [`a redirect to ${location}`, answering(t, movedTo(location))] as const),
      ] as const) {
        await expectNoImport(t, { url }, failures.noRemote, what);
      }
    },
  },
  {
    id: 'rest/imports/early-reply',
    requirements: [
      'GIT-030',
      'LIM-014',
      'REPO-052',
      'REPO-089',
      'REPO-105',
      'REPO-119',
      'REPO-132',
      'REPO-170',
      'REPO-180',
      'TOKEN-009',
    ],
    level: 'MUST',
    needs: ['import remote', 'git', 'settings'],
    settings: only(tightSettings, 'sync_wait'),
    explanation: 'An import that is not done in time goes on after the reply, and DELETE ends it.',
    run: async (t) => {
      const name = await servedHistory(t, history);
      const url = `${t.importRemote.origin}/${name}`;
      const hold = (): { readonly asked: Promise<void>; readonly release: () => void } => {
        const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        t.importRemote.answer(name, async (request, stock) => {
          asked.resolve();
          await Promise.race([released.promise, wait(20_000)]);
          return stock();
        });
        return { asked: asked.promise, release: () => released.resolve() };
      };

      const held = hold();
      const repo = await imported(t, { url });
      await held.asked;
      const list = `/namespaces/${repo.namespace}/repos`;
      const [item] = assertSuccess(await t.rest('GET', list), 200, 'the list');
      assert.equal(item.status, 'importing', 'expected the list to show the import');
      const inProgress = { status: 409, code: 10302, message: 'Repository import in progress' };
      const own = `/namespaces/${repo.namespace}`;
      for (const [method, path, body] of [
        ['GET', pathOf(repo)],
        ['GET', `${pathOf(repo)}/log`],
        ['GET', `${pathOf(repo)}/file?path=x`],
        ['GET', `${pathOf(repo)}/tokens`],
        ['POST', `${pathOf(repo)}/fork`, { name: 'fork' }],
        ['POST', `${own}/tokens`, { repo: repo.name }],
      ] as const) {
        const { headers } = await assertRefused(t, [method, path, body], inProgress);
        assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/, `${method} ${path}: expected Retry-After`);
      }
      await assertRefused(t, ['DELETE', own], others.namespaceNotEmpty);
      const { repo_count: count } = assertSuccess(await t.rest('GET', own), 200, 'GET of the namespace');
      assert.equal(count, 1, 'expected the import to be counted');
      const push = { service: 'git-receive-pack' } as const;
      for (const reply of [await discover(repo), await post(repo, flush), await discover(repo, push)]) {
        same([reply.status, reply.body.toString()], [409, inProgress.message], 'Git is told the same.');
        assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/, 'expected when to come again');
      }
      assertFailure(t, await askForImport(t, repo.name, { url }), repoExists(repo.name), 'an import of the same name');
      held.release();
      await readyOrGone(t, repo);
      assertSuccess(await t.rest('GET', pathOf(repo)), 200, 'GET of what was imported');
      assert.equal((await discover(repo)).status, 200, 'expected the token of the reply to open it');

      const second = hold();
      const dropped = await imported(t, { url });
      await second.asked;
      assertSuccess(await t.rest('DELETE', pathOf(dropped)), 202, 'DELETE of an import that goes on');
      second.release();
      assertFailure(t, await t.rest('GET', pathOf(dropped)), others.noRepo, 'GET of what was deleted');
      const again = await t.createRepo({ name: dropped.name });
      await wait(200);
      const { id } = assertSuccess(await t.rest('GET', pathOf(again)), 200, 'GET of a new repo of that name');
      assert.equal(id, again.id, 'expected nothing of the import that was deleted');

      t.importRemote.answer(name, status(404));
      const failing = await imported(t, { url });
      await readyOrGone(t, failing);
      assertFailure(t, await t.rest('GET', pathOf(failing)), others.noRepo, 'GET of what failed after the reply');
    },
  },
  {
    id: 'rest/imports/too-large',
    requirements: ['REPO-128', 'REPO-133', 'REPO-174'],
    level: 'MUST',
    needs: ['import remote', 'git', 'settings'],
    settings: only(soonCollected, 'repo_storage_max'),
    explanation: 'An import of more than a repo may hold is refused, and leaves nothing.',
    run: async (t) => {
      const url = `${t.importRemote.origin}/${await servedHistory(t, history)}`;
      await expectNoImport(t, { url }, failures.tooLarge, 'more than a repo may hold');
      await imported(t, { url, branch: 'old' });
    },
  },
);

/** Waits until no work on the repo is running. */
async function readyOrGone(t: Context, repo: { readonly namespace: string; readonly name: string }): Promise<void> {
  while ((await t.rest('GET', pathOf(repo))).status === 409) await wait(20);
}
