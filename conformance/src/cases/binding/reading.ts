/** `readFiles`, `listTree` and the filters of `log` of docs/specification/binding.md. */

import { suite, type Suite } from '../../core/case.ts';
import { blob, commit, tree } from '../../tools/made-objects.ts';
import { same } from '../../tools/same.ts';
import { assertRejected, boundRepoWith } from './rejections.ts';

const [one, two] = [blob('one\n'), blob('two\n')];
const folder = tree({ b: one });
const [before, after] = [tree({ a: one, d: folder }), tree({ a: two, d: folder })];
const first = commit('first', before);
const second = commit('second', after, [first]);
const objects = [one, two, folder, before, after, first, second];
const values = { 'refs/heads/main': second };

export const reading: Suite = suite(
  {
    id: 'binding/reading/files-and-folders',
    requirements: ['BIND-105', 'BIND-106', 'REPO-262', 'REPO-269'],
    level: 'MUST',
    beyond: true,
    needs: ['binding'],
    explanation: 'Many files come at once, and a folder is listed in pages, the last of which has no cursor.',
    async run(t) {
      const { repo } = await boundRepoWith(t, t.binding(), values, objects);
      const file = {
        path: 'a',
        mode: '100644',
        hash: one.oid,
        size: 4,
        encoding: 'utf-8',
        content: 'one\n',
        error: null,
      };
      const error = { code: 10200, message: 'File not found', reason: 'file_not_found' };
      const missing = { path: 'x', mode: null, hash: null, size: null, encoding: null, content: null, error };
      const read = await repo.readFiles({ ref: 'main~1', paths: ['a', 'x'] });
      same(read, { commit: first.oid, files: [file, missing] }, 'The files.');
      same(await repo.readFiles({ ref: 'none', paths: ['a'] }), null, 'A ref that does not resolve.');
      const entries = [
        { name: 'a', mode: '100644', hash: two.oid, type: 'blob', path: 'a', size: 4 },
        { name: 'd', mode: '40000', hash: folder.oid, type: 'tree', path: 'd', size: null },
        { name: 'b', mode: '100644', hash: one.oid, type: 'blob', path: 'd/b', size: 4 },
      ];
      same(await repo.listTree({ recursive: true }), { entries }, 'All entries.');
      same(await repo.listTree(), { entries: entries.slice(0, 2) }, 'The root alone.');
      const start = (await repo.listTree({ recursive: true, limit: 2 })) as { entries: unknown; cursor?: string };
      same(start.entries, entries.slice(0, 2), 'The first page.');
      const rest = await repo.listTree({ recursive: true, limit: 2, cursor: start.cursor });
      same(rest, { entries: entries.slice(2) }, 'The last page.');
      for (const opts of [{ ref: 'none' }, { path: 'a' }]) same(await repo.listTree(opts), null, JSON.stringify(opts));
      const { cursor } = start;
      const bad = [{ recursive: 'true' }, { depth: 0 }, { limit: 1001 }, { path: 5 }, { cursor: 'x' }, { cursor }];
      for (const wrong of bad) {
        await assertRejected(t, repo.listTree(wrong), 'INVALID_INPUT', JSON.stringify(wrong));
      }
      const many = { paths: Array.from({ length: 1001 }, () => 'a') };
      for (const wrong of [undefined, {}, { paths: [] }, { paths: 'a' }, { ref: 5, paths: ['a'] }, many]) {
        const what = JSON.stringify(wrong)?.slice(0, 99) ?? 'no arguments';
        await assertRejected(t, repo.readFiles(wrong), 'INVALID_INPUT', what);
      }
    },
  },
  {
    id: 'binding/reading/filtered-logs',
    requirements: ['BIND-107', 'REPO-265'],
    level: 'MUST',
    beyond: true,
    needs: ['binding'],
    explanation: 'A log takes the filters of REST, and is empty for a ref that does not resolve.',
    async run(t) {
      const { repo } = await boundRepoWith(t, t.binding(), values, objects);
      const logged = async (opts: object): Promise<readonly string[]> => (await repo.log(opts)).map(({ hash }) => hash);
      same(await logged({ path: 'a', parents: 'all' }), [second.oid, first.oid], 'A file that changed.');
      same(await logged({ path: 'd' }), [first.oid], 'A folder that did not.');
      same(await logged({ ref: 'main main~1', limit: 1, offset: 1 }), [first.oid], 'Several starts.');
      same(await logged({ author: 'Eve' }), [], 'Another author.');
      const committedAt = (await repo.log({ limit: 1 }))[0]?.committedAt ?? 0;
      same(await logged({ author: 'Ada', since: committedAt }), [second.oid, first.oid], 'An author, from a time on.');
      same(await logged({ until: committedAt - 1 }), [], 'Until a time.');
      same(await logged({ ref: 'none', path: 'a' }), [], 'A ref that does not resolve.');
      for (const wrong of [{ parents: 'none' }, { since: '5' }, { path: 5 }, { path: 'a', limit: 0 }]) {
        await assertRejected(t, repo.log(wrong), 'INVALID_INPUT', JSON.stringify(wrong));
      }
    },
  },
  {
    id: 'binding/reading/changes',
    requirements: ['BIND-104', 'BIND-108', 'REPO-275'],
    level: 'MUST',
    beyond: true,
    needs: ['binding'],
    explanation: 'A commit shows its changes if asked, and revisions of a fork and its parent are compared.',
    async run(t) {
      const binding = t.binding();
      const { repo, made } = await boundRepoWith(t, binding, values, objects);
      const file = {
        path: 'a',
        previousPath: null,
        status: 'modified',
        oldMode: '100644',
        newMode: '100644',
        oldHash: one.oid,
        newHash: two.oid,
        similarity: null,
        additions: 1,
        deletions: 1,
        binary: false,
      };
      const changes = { files: [file], truncated: false, renamesLimited: false };
      const plain = await repo.readCommit(second.oid);
      same(await repo.readCommit(second.oid, { include: 'changes' }), { ...plain, changes }, 'A commit.');
      same(await repo.readCommit(one.oid.replace(/./g, '0'), { include: 'changes' }), null, 'A missing commit.');
      const expected = { mergeBase: first.oid, ahead: 1, behind: 0, commits: [plain], ...changes };
      same(await repo.compare({ base: 'main~1', head: 'main' }), expected, 'Two commits.');
      const fork = await binding.get((await repo.fork(t.name('fork'))).name);
      same(
        await fork.compare({ base: { repo: made.name, ref: 'main~1' }, head: 'main' }),
        expected,
        'With the parent.',
      );
      same(await fork.compare({ base: `${made.name}:main~1`, head: 'main' }), expected, 'The same as a text.');
      const elsewhere = { namespace: 'else', repo: made.name, ref: 'main' };
      for (const head of ['none', 'none:main', elsewhere]) {
        await assertRejected(t, fork.compare({ base: 'main', head }), 'NOT_FOUND', JSON.stringify(head));
      }
      for (const head of [undefined, null, 7, [], {}, { ref: 'main' }, { repo: 7, ref: 'main' }]) {
        await assertRejected(t, fork.compare({ base: 'main', head }), 'INVALID_INPUT', JSON.stringify(head) ?? 'none');
      }
      await assertRejected(t, repo.readCommit(second.oid, { include: 'all' }), 'INVALID_INPUT', 'another include');
    },
  },
);
