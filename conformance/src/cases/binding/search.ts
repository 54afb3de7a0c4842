/** `search` of docs/specification/binding.md. */

import { suite, type Suite } from '../../core/case.ts';
import { blob, commit, tree } from '../../tools/made-objects.ts';
import { same } from '../../tools/same.ts';
import { assertRejected, boundRepoWith } from './rejections.ts';

const file = blob('a plan\nno\nThe Plan\n');
const folder = tree({ 'plan.md': file });
const root = tree({ docs: folder });
const main = commit('x', root);
const objects = [main, root, folder, file];
const first = { path: 'docs/plan.md', line: 1, column: 3, text: 'a plan', start: 2, end: 6, clipped: false };
const second = { path: 'docs/plan.md', line: 3, column: 5, text: 'The Plan', start: 4, end: 8, clipped: false };

export const search: Suite = suite({
  id: 'binding/search/pages',
  requirements: ['BIND-113', 'BIND-083'],
  level: 'MUST',
  beyond: true,
  needs: ['binding'],
  explanation: 'Lines are found in pages, the last of which has no cursor, and wrong options are refused.',
  async run(t) {
    const { repo } = await boundRepoWith(t, t.binding(), { 'refs/heads/main': main }, objects);
    const all = { commit: main.oid, matches: [first, second], skipped: 0, truncated: false };
    same(await repo.search('plan'), { ...all, matches: [first] }, 'A text.');
    same(await repo.search('PLAN', { ignoreCase: true, ref: 'main', path: 'docs' }), all, 'In any case.');
    const { cursor, ...page } = await repo.search('[Pp]lan$', { regex: true, limit: 1 });
    same(page, { ...all, matches: [first], truncated: true }, 'The first page.');
    const last = await repo.search('[Pp]lan$', { regex: true, cursor });
    same(last, { ...all, matches: [second] }, 'The last page.');
    await assertRejected(t, repo.search('x', { ref: 'none' }), 'NOT_FOUND', 'a missing ref');
    await assertRejected(t, repo.search('x', { path: 'none' }), 'NOT_FOUND', 'a missing path');
    await assertRejected(t, repo.search(7), 'INVALID_INPUT', 'search(7)');
    for (const options of [{ limit: 0 }, { regex: 'true' }, { ref: 7 }, { path: null }, { cursor: 'x' }, { cursor }]) {
      await assertRejected(t, repo.search('x', options), 'INVALID_INPUT', `search(x, ${JSON.stringify(options)})`);
    }
  },
});
