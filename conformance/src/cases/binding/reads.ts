/** Reads of content of docs/specification/binding.md. */

import assert from 'node:assert/strict';
import type { SeenBlob } from '../../core/binding.ts';
import { suite, type Suite } from '../../core/case.ts';
import { blob, change, commit, tree, type MadeObject } from '../../tools/made-objects.ts';
import { rawTree } from '../../tools/raw-tree.ts';
import { assertRejected, boundRepoWith, messages } from './rejections.ts';

const text = blob('a plan\n');
const bytes = blob(Buffer.of(0, 255, 1));
const link = blob('plan.md');
const inner = tree({ 'x.png': text });
const root = rawTree(
  ['40000', 'docs', inner],
  ['120000', 'link', link],
  ['100644', 'noise', bytes],
  ['100644', 'plan.md', text],
  ['100755', 'run', text],
  ['160000', 'sub', { oid: '12'.repeat(20) }],
);
const first = commit('first\n\nwith a body', root);
const side = change('side', first);
const main = commit('main', inner, [first, side]);
const all = [main, side.root, side.file, side, first, root, inner, text, bytes, link];
const refs = { 'refs/heads/main': main, 'refs/heads/side': side, 'refs/tags/v1': first };
const unknown = '0'.repeat(40);

/** Returns a commit of `made-objects.ts` as the binding returns it. */
function shownCommit(node: MadeObject, rootOid: string, message: string, ...parents: readonly MadeObject[]): object {
  const person = { name: 'Ada Example', email: 'ada@example.com' };
  const times = { authoredAt: 1_700_000_000, committedAt: 1_700_000_000 };
  const ids = { hash: node.oid, treeHash: rootOid, message, parents: parents.map(({ oid }) => oid) };
  return { ...ids, author: person, committer: person, ...times };
}

const shownFirst = shownCommit(first, root.oid, 'first\n\nwith a body');
const shownSide = shownCommit(side, side.root.oid, 'side', first);
const shownMain = shownCommit(main, inner.oid, 'main', first, side);

function assertBlob(read: SeenBlob | null, expected: MadeObject, type: string, what: string): void {
  assert.ok(read !== null, `${what}: expected a blob`);
  assert.equal(read.type, type, `${what}: expected its type`);
  assert.equal(read.size, expected.body.length, `${what}: expected its size`);
  assert.ok(expected.body.equals(read.bytes ?? Buffer.alloc(0)), `${what}: expected its bytes`);
}

export const reads: Suite = suite(
  {
    id: 'binding/reads/hashes',
    requirements: ['BIND-066', 'BIND-067', 'BIND-068', 'REPO-055', 'REPO-056', 'REPO-142'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'Blobs, trees and commits are read by hash; what is not there, or not visible, is null.',
    async run(t) {
      const binding = t.binding();
      const { repo } = await boundRepoWith(t, binding, refs, all);
      assertBlob(await repo.readBlob(text.oid), text, '', 'the blob of a text');
      assertBlob(await repo.readBlob(bytes.oid), bytes, '', 'the blob of bytes');
      const entries = [
        ['docs', '40000', inner.oid, 'tree'],
        ['link', '120000', link.oid, 'symlink'],
        ['noise', '100644', bytes.oid, 'blob'],
        ['plan.md', '100644', text.oid, 'blob'],
        ['run', '100755', text.oid, 'exec'],
        ['sub', '160000', '12'.repeat(20), 'gitlink'],
      ].map(([name, mode, hash, type]) => ({ name, mode, hash, type }));
      assert.deepEqual(await repo.readTree(root.oid), entries, 'expected the entries in the order of Git');
      assert.deepEqual(await repo.readCommit(first.oid), shownFirst, 'expected the commit');
      assert.deepEqual(await repo.readCommit(main.oid), shownMain, 'expected its parents in order');
      const { made: elsewhere } = await boundRepoWith(t, binding, { 'refs/heads/x': change('elsewhere') }, [
        ...change('elsewhere').all,
      ]);
      assert.notEqual(elsewhere.id, '', 'expected another repo');
      for (const hash of [unknown, change('elsewhere').file.oid]) {
        assert.equal(await repo.readBlob(hash), null, 'expected no blob');
      }
      for (const hash of [unknown, change('elsewhere').root.oid]) {
        assert.equal(await repo.readTree(hash), null, 'expected no tree');
      }
      for (const hash of [unknown, change('elsewhere').oid]) {
        assert.equal(await repo.readCommit(hash), null, 'expected no commit');
      }
      for (const { oid } of [root, first]) assert.equal(await repo.readBlob(oid), null, 'expected null for no blob');
    },
  },
  {
    id: 'binding/reads/other-types',
    requirements: ['BIND-067', 'BIND-068', 'BIND-080', 'BIND-095'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'A tree or commit is not read from an object of another type.',
    async run(t) {
      const { repo } = await boundRepoWith(t, t.binding(), refs, all);
      for (const { oid } of [text, first]) await assertRejected(t, repo.readTree(oid), 'INTERNAL_ERROR', 'readTree');
      for (const { oid } of [text, root]) await assertRejected(t, repo.readCommit(oid), 'INTERNAL_ERROR', 'readCommit');
    },
  },
  {
    id: 'binding/reads/hash-form',
    requirements: ['BIND-069', 'BIND-083', 'BIND-084', 'BIND-085'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'A hash is 40 lower-case hexadecimal digits.',
    async run(t) {
      const { repo } = await boundRepoWith(t, t.binding(), refs, all);
      const bad = ['', text.oid.slice(1), `${text.oid}0`, text.oid.toUpperCase(), ` ${text.oid}`, 'main', 7, null, {}];
      for (const hash of [...bad, undefined]) {
        for (const method of ['readBlob', 'readTree', 'readCommit']) {
          const what = `${method}(${JSON.stringify(hash) ?? 'undefined'})`;
          await assertRejected(t, repo.call(method, hash), 'INVALID_INPUT', what, messages.hash);
        }
      }
    },
  },
  {
    id: 'binding/reads/files',
    requirements: ['BIND-070', 'BIND-071', 'REPO-141', 'REPO-147', 'REPO-149'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'A file is read by revision and path, with a type that lets nothing run; what is no file is null.',
    async run(t) {
      const { repo } = await boundRepoWith(t, t.binding(), refs, all);
      const plain = 'text/plain;charset=utf-8';
      for (const ref of ['v1', 'refs/tags/v1', 'tags/v1', first.oid]) {
        assertBlob(await repo.readFile({ ref, path: 'plan.md' }), text, plain, `the file at ${ref}`);
      }
      for (const [ref, path, expected, type] of [
        ['v1', './docs//x.png', text, 'image/png'],
        ['v1', 'noise', bytes, 'application/octet-stream'],
        ['v1', 'link', link, plain],
        ['HEAD', 'x.png', text, 'image/png'],
        ['heads/side', 'file', side.file, plain],
      ] as const) {
        assertBlob(await repo.readFile({ ref, path }), expected, type, `${path} at ${ref}`);
      }
      for (const path of ['none', 'docs', 'docs/', 'sub', '..', 'docs/../plan.md', '.', '/', 'plan.md/x']) {
        assert.equal(await repo.readFile({ ref: 'v1', path }), null, `${path}: expected no file`);
      }
      for (const ref of ['none', 'refs/heads/none', root.oid, unknown]) {
        assert.equal(await repo.readFile({ ref, path: 'plan.md' }), null, `at ${ref}: expected no file`);
      }
      const good = { ref: 'v1', path: 'plan.md' };
      for (const bad of [undefined, null, '', 7, {}]) {
        for (const given of [
          { ...good, ref: bad },
          { ...good, path: bad },
        ]) {
          await assertRejected(t, repo.readFile(given), 'INVALID_INPUT', `readFile(${JSON.stringify(given)})`);
        }
      }
      for (const bad of [undefined, null, 'main', 7]) {
        await assertRejected(t, repo.readFile(bad), 'INVALID_INPUT', `readFile(${JSON.stringify(bad) ?? 'undefined'})`);
      }
    },
  },
  {
    id: 'binding/reads/log',
    requirements: ['BIND-072', 'BIND-016', 'REPO-143'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'A log follows first parents, newest first, and is empty for what is no revision.',
    async run(t) {
      const binding = t.binding();
      const { repo } = await boundRepoWith(t, binding, refs, all);
      for (const options of [undefined, {}, { ref: undefined, limit: undefined, offset: undefined }, { limit: 5000 }]) {
        assert.deepEqual(await repo.log(options), [shownMain, shownFirst], 'expected HEAD and its first parents');
      }
      assert.deepEqual(await repo.log({ ref: 'side' }), [shownSide, shownFirst], 'expected the other branch');
      assert.deepEqual(await repo.log({ limit: 1 }), [shownMain], 'expected one');
      assert.deepEqual(await repo.log({ offset: 1 }), [shownFirst], 'expected all but the newest');
      assert.deepEqual(await repo.log({ offset: 2 }), [], 'expected none past the end');
      assert.deepEqual(await repo.log({ ref: 'none' }), [], 'expected none for what is no revision');
      const empty = await binding.get((await binding.create(t.name('empty'))).name);
      assert.deepEqual(await empty.log(), [], 'expected none of an empty repo');
      const bad = [{ limit: 0 }, { limit: -1 }, { limit: 1.5 }, { limit: '1' }, { limit: Number.NaN }];
      for (const options of [...bad, { offset: -1 }, { offset: 0.5 }, { offset: '0' }, { ref: 7 }]) {
        await assertRejected(t, repo.log(options), 'INVALID_INPUT', `log(${JSON.stringify(options)})`);
      }
    },
  },
);
