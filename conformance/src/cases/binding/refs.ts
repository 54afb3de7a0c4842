/** `listRefs` of docs/specification/binding.md. */

import { suite, type Suite } from '../../core/case.ts';
import { blob, change, tag } from '../../tools/made-objects.ts';
import { same } from '../../tools/same.ts';
import { assertRejected, boundRepoWith } from './rejections.ts';

const [main, file] = [change('main'), blob('lone')];
const inner = tag('inner', main);
const outer = tag('outer', inner);
const values = {
  'refs/heads/a': main,
  'refs/heads/b/c': main,
  'refs/heads/main': main,
  'refs/odd/blob': file,
  'refs/tags/v1': outer,
};
const objects = [...main.all, file, inner, outer];
const expected = Object.entries(values).map(([name, { oid, kind }]) => ({
  name,
  hash: oid,
  kind,
  peeled: kind === 'tag' ? main.oid : null,
}));

export const refs: Suite = suite(
  {
    id: 'binding/refs/pages',
    requirements: ['BIND-076', 'REPO-232', 'REPO-233'],
    level: 'MUST',
    beyond: true,
    needs: ['binding'],
    explanation: 'Refs are listed by full name, in pages, the last of which has no cursor.',
    async run(t) {
      const { repo } = await boundRepoWith(t, t.binding(), values, objects);
      same(await repo.listRefs(), { refs: expected }, 'All refs on one page.');
      same(await repo.listRefs(undefined), { refs: expected }, 'Absent options are none.');
      const seen: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page = await repo.listRefs({ limit: 2, cursor });
        same(page.refs, expected.slice(seen.length, seen.length + 2), 'The next two.');
        seen.push(...page.refs);
        cursor = page.cursor;
      } while (cursor !== undefined);
      same(seen, expected, 'Each once, in order.');
      const heads = await repo.listRefs({ prefix: 'refs/heads/', limit: 3 });
      same(heads, { refs: expected.slice(0, 3) }, 'A full last page has no cursor, either.');
      same(await repo.listRefs({ prefix: 'heads/' }), { refs: [] }, 'A prefix is one of full names.');
    },
  },
  {
    id: 'binding/refs/refused',
    requirements: ['BIND-076', 'BIND-083'],
    level: 'MUST',
    beyond: true,
    needs: ['binding'],
    explanation: 'Options of another type or out of range, and cursors of other lists, are refused.',
    async run(t) {
      const { repo } = await boundRepoWith(t, t.binding(), values, objects);
      const { cursor } = await repo.listRefs({ limit: 1, prefix: 'refs/' });
      for (const options of [
        { limit: 0 },
        { limit: 1001 },
        { limit: 1.5 },
        { limit: '2' },
        { prefix: 7 },
        { prefix: null },
        { cursor: 7 },
        { cursor: 'x' },
        { cursor },
        { cursor, prefix: 'refs/heads/' },
      ]) {
        await assertRejected(t, repo.listRefs(options), 'INVALID_INPUT', `listRefs(${JSON.stringify(options)})`);
      }
    },
  },
);
