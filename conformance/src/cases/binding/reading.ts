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
      const error = { code: 10200, message: 'File not found' };
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
      for (const wrong of [{ recursive: 'true' }, { depth: 0 }, { limit: 1001 }, { path: 5 }, { cursor: 'x' }]) {
        await assertRejected(t, repo.listTree(wrong), 'INVALID_INPUT', JSON.stringify(wrong));
      }
      for (const wrong of [undefined, {}, { paths: [] }, { paths: 'a' }, { ref: 5, paths: ['a'] }]) {
        await assertRejected(t, repo.readFiles(wrong), 'INVALID_INPUT', JSON.stringify(wrong) ?? 'no arguments');
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
      same(await logged({ ref: 'none', path: 'a' }), [], 'A ref that does not resolve.');
      for (const wrong of [{ parents: 'none' }, { since: '5' }, { path: 5 }, { path: 'a', limit: 0 }]) {
        await assertRejected(t, repo.log(wrong), 'INVALID_INPUT', JSON.stringify(wrong));
      }
    },
  },
);
