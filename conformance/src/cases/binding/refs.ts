/** `listRefs` and `updateRefs` of docs/specification/binding.md. */

import { suite, type Suite } from '../../core/case.ts';
import { blob, change, tag } from '../../tools/made-objects.ts';
import { same } from '../../tools/same.ts';
import { assertRejected, boundRepoWith, failureOf } from './rejections.ts';

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
  {
    id: 'binding/refs/updates',
    requirements: ['BIND-078', 'BIND-098', 'BIND-099', 'BIND-116', 'REPO-245', 'REPO-247', 'REPO-248'],
    level: 'MUST',
    beyond: true,
    needs: ['binding'],
    explanation: 'Refs are updated all or none, from the values that the caller expects.',
    async run(t) {
      const binding = t.binding();
      const { made, repo } = await boundRepoWith(t, binding, values, objects);
      const create = { name: 'refs/heads/new', old: null, new: main.oid };
      const remove = { name: 'refs/heads/a', old: main.oid, new: null };
      same(await repo.updateRefs([create, remove]), [create, remove], 'A new branch, and a deleted one.');
      const after = await repo.listRefs();
      const failure = await failureOf(repo.updateRefs([create]), 'a stale value');
      same(failure.error.own['code'], 'STALE_REF', 'The code.');
      same(failure.error.own['details'], { head: main.oid }, 'The current value.');
      const moveTag = { name: 'refs/tags/v1', new: main.oid };
      await assertRejected(t, repo.updateRefs([moveTag]), 'REF_REFUSED', 'a tag that moves');
      const unknown = { name: 'refs/heads/x', new: 'ab'.repeat(20) };
      await assertRejected(t, repo.updateRefs([unknown]), 'NOT_FOUND', 'an unknown hash');
      const gone = { name: 'refs/heads/none', new: null };
      await assertRejected(t, repo.updateRefs([gone]), 'NOT_FOUND', 'a ref that is missing');
      for (const wrong of [
        undefined,
        null,
        {},
        [],
        [null],
        [{}],
        [{ ...create, name: 'main' }],
        [{ ...create, new: 1 }],
        Array.from({ length: 1001 }, (_, i) => ({ name: `refs/heads/m${i}`, new: main.oid })),
      ]) {
        const what = `updateRefs(${JSON.stringify(wrong)?.slice(0, 99)})`;
        await assertRejected(t, repo.updateRefs(wrong), 'INVALID_INPUT', what);
      }
      same(await repo.listRefs(), after, 'A refused list changes nothing.');
      const closed = await binding.create(t.name('repo'), { readOnly: true });
      const readOnly = await binding.get(closed.name);
      await assertRejected(t, readOnly.updateRefs([create]), 'READ_ONLY', 'a read-only repo');
      await binding.delete(made.name);
      await assertRejected(t, repo.updateRefs([create]), 'NOT_FOUND', 'a deleted repo');
    },
  },
);
