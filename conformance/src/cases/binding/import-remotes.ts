/** `import` of docs/specification/binding.md, with remotes of the suite. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { Context } from '../../core/context.ts';
import type { RemoteAnswer } from '../../core/import-remote.ts';
import { servedHistory } from '../../steps/imports.ts';
import { blob, change, commit, tree } from '../../tools/made-objects.ts';
import { assertMembers } from '../../steps/values.ts';
import { createdMembers } from './create.ts';
import { assertRejected, failureOf, messages } from './rejections.ts';

const first = change('first');
const second = change('second', first);
const history = {
  refs: new Map([
    ['refs/heads/main', second],
    ['refs/heads/old', first],
  ]),
  objects: new Map([...first.all, ...second.all].map((object) => [object.oid, object])),
};

/** Creates a remote that answers in this way. Returns its URL without `.git`. */
function answering(t: Context, by: RemoteAnswer): string {
  const name = t.name('remote');
  t.importRemote.answer(name, by);
  return `${t.importRemote.origin}/${name}`;
}

const status =
  (code: number): RemoteAnswer =>
  () =>
    new Response('no', { status: code });

export const importRemotes: Suite = suite(
  {
    id: 'binding/import/copies',
    requirements: ['BIND-040', 'BIND-016', 'REPO-058', 'REPO-113', 'REPO-130', 'REPO-131'],
    level: 'MUST',
    needs: ['binding', 'import remote', 'git'],
    explanation: 'An import copies a remote, or one branch of it to a depth, with what the options say.',
    async run(t) {
      const binding = t.binding();
      const url = `${t.importRemote.origin}/${await servedHistory(t, history)}`;
      const opts = { description: 'a copy', readOnly: true, unknown: 1 };
      const made = await binding.import({ source: { url }, target: { name: t.name('Copy'), opts } });
      assertMembers(made, createdMembers, 'an import');
      assert.deepEqual([made.description, made.defaultBranch], ['a copy', 'main'], 'expected what was asked');
      const repo = await binding.get(made.name);
      const info = await repo.info();
      assert.deepEqual([info.source, info.readOnly], [`git:${url}.git`, true], 'expected where it is from');
      const { tokens } = await repo.listTokens();
      assert.deepEqual([tokens.length, tokens[0]?.scope], [1, 'write'], 'expected one token that may write');
      const hashes = (await repo.log()).map(({ hash }) => hash);
      assert.deepEqual(hashes, [second.oid, first.oid], 'expected its history');
      assert.equal((await repo.log({ ref: 'old' }))[0]?.hash, first.oid, 'expected its other branch');

      const source = { url: `${url}.git`, branch: 'main', depth: 1 };
      const shallow = await binding.import({ source, target: { name: t.name('shallow'), opts: undefined } });
      const handle = await binding.get(shallow.name);
      assert.deepEqual(
        (await handle.log()).map(({ hash }) => hash),
        [second.oid],
        'expected one commit',
      );
      assert.deepEqual(await handle.log({ ref: 'old' }), [], 'expected no other branch');
    },
  },
  {
    id: 'binding/import/failing-remotes',
    requirements: [
      'BIND-041',
      'BIND-042',
      'BIND-080',
      'BIND-083',
      'BIND-088',
      'BIND-089',
      'BIND-090',
      'BIND-096',
      'BIND-097',
    ],
    level: 'MUST',
    needs: ['binding', 'import remote', 'git'],
    explanation: 'What a remote answers instead of a repository is told by code, and leaves nothing.',
    async run(t) {
      const binding = t.binding();
      const unavailable = 'The upstream service is unavailable. Please retry.';
      const breaking: RemoteAnswer = () => {
        const pull = (controller: ReadableStreamDefaultController): void =>
          controller.error(new Error('the connection breaks'));
        const headers = { 'content-type': 'application/x-git-upload-pack-advertisement' };
        return new Response(new ReadableStream({ pull }), { headers });
      };
      const page: RemoteAnswer = () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
      const rows = [
        [status(401), 'REMOTE_AUTH_REQUIRED', undefined],
        [status(403), 'REMOTE_AUTH_REQUIRED', undefined],
        [status(404), 'NOT_FOUND', undefined],
        [status(503), 'UPSTREAM_UNAVAILABLE', unavailable],
        [page, 'INVALID_URL', undefined],
        [breaking, 'UPSTREAM_UNAVAILABLE', unavailable],
      ] as const;
      for (const [answer, code, message] of rows) {
        const name = t.name('none');
        const call = binding.import({ source: { url: answering(t, answer) }, target: { name } });
        await assertRejected(t, call, code, `an import that ends with ${code}`, message);
        await assertRejected(t, binding.get(name), 'NOT_FOUND', 'get after it', messages.noRepo(name));
      }
      const name = t.name('none');
      const url = `${t.importRemote.origin}/${await servedHistory(t, history)}`;
      const call = binding.import({ source: { url, branch: 'nowhere' }, target: { name } });
      await assertRejected(t, call, 'NOT_FOUND', 'a branch that is not there');
      const silent = new URL(t.importRemote.origin);
      silent.port = '1';
      const unheard = binding.import({ source: { url: `${silent.origin}/x` }, target: { name } });
      await assertRejected(t, unheard, 'UPSTREAM_UNAVAILABLE', 'a port where nobody listens', unavailable);
      const huge = blob(Buffer.alloc(33_554_433, 'compresses well '));
      const root = tree({ huge });
      const tip = commit('huge', root);
      const objects = new Map([huge, root, tip].map((object) => [object.oid, object]));
      const large = await servedHistory(t, { refs: new Map([['refs/heads/main', tip]]), objects });
      const tooLarge = binding.import({ source: { url: `${t.importRemote.origin}/${large}` }, target: { name } });
      await assertRejected(t, tooLarge, 'MEMORY_LIMIT', 'a file above the limit of all files (LIM-051)');
      await binding.create(name);
    },
  },
  {
    id: 'binding/import/while',
    requirements: ['BIND-026', 'BIND-037', 'BIND-051', 'BIND-080', 'BIND-093', 'REPO-119'],
    level: 'MUST',
    beyond: true,
    needs: ['binding', 'import remote', 'git'],
    explanation: 'While an import waits for its remote other calls go on, its name is taken, and a delete ends it.',
    async run(t) {
      const binding = t.binding();
      const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const url = answering(t, async () => {
        ask();
        await released;
        return new Response('no', { status: 503 });
      });
      const name = t.name('slow');
      const importing = failureOf(binding.import({ source: { url }, target: { name } }), 'the import');
      try {
        await asked;
        await assertRejected(t, binding.get(name), 'IMPORT_IN_PROGRESS', 'get of it');
        await assertRejected(t, binding.create(name), 'ALREADY_EXISTS', 'create of it', messages.taken(name));
        const listed = (await binding.list({ limit: 200 })).repos.find((repo) => repo.name === name);
        assert.equal(listed?.status, 'importing', 'expected it in the list');
        const other = await binding.create(t.name('other'));
        assert.equal((await (await binding.get(other.name)).info()).id, other.id, 'expected other calls to go on');
        assert.equal(await binding.delete(name), true, 'expected the delete to end it');
        await assertRejected(t, binding.get(name), 'NOT_FOUND', 'get after it', messages.noRepo(name));
        await binding.create(name);
      } finally {
        release();
      }
      await importing;
    },
  },
);
