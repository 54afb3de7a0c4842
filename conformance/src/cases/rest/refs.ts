/** REPO-230 to REPO-234 of docs/specification/repositories.md: refs. */

import fc from 'fast-check';
import { suite, type Suite } from '../../core/case.ts';
import type { Context, TestRepo } from '../../core/context.ts';
import type { ShownRef } from '../../core/shown-content.ts';
import { pathOf } from '../../steps/content.ts';
import { holds } from '../../steps/holds.ts';
import { mirrored } from '../../steps/imports.ts';
import { accepted, repoWith } from '../../steps/repo-with.ts';
import { assertRefused, assertSuccess, badField, failures } from '../../steps/replies.ts';
import { assertMembers } from '../../steps/values.ts';
import { blob, change, pack, tag, tree } from '../../tools/made-objects.ts';
import { same } from '../../tools/same.ts';
import { remove, set } from '../../tools/wire-client.ts';
import { notFound } from './content/failures.ts';
import { walk, walked } from './lists/walks.ts';

const refsOf = (repo: TestRepo): string => `${pathOf(repo)}/refs`;

/** Returns the refs of a walk through all pages. */
function listed(t: Context, repo: TestRepo, prefix = '', limit = 1000): Promise<readonly ShownRef[]> {
  return walked<ShownRef>(t, `${refsOf(repo)}?limit=${limit}&prefix=${encodeURIComponent(prefix)}`);
}

/** Creates a repo with refs to objects of every kind, some with names that are hard to write in a path. */
async function oddRepo(t: Context): Promise<TestRepo> {
  const [main, side] = [change('main'), change('side')];
  const [file, root] = [blob('lone'), tree({ lonely: blob('lonely') })];
  const inner = tag('inner', side);
  const outer = tag('outer', inner);
  const ofFile = tag('file', file);
  return repoWith(
    t,
    {
      'refs/heads/main': main,
      'refs/heads/a/b': side,
      'refs/heads/a-b': main,
      'refs/heads/é-100%': side,
      'refs/heads/\uffee': main,
      'refs/heads/\u{1f389}': side,
      'refs/notes/commits': side,
      'refs/odd/blob': file,
      'refs/odd/tree': root,
      'refs/tags/v1': outer,
      'refs/tags/v2': main,
      'refs/tags/file': ofFile,
    },
    [...main.all, ...side.all, file, root, blob('lonely'), inner, outer, ofFile],
  );
}

export const refs: Suite = suite(
  {
    id: 'rest/refs/as-git-shows-them',
    requirements: ['REPO-230', 'REPO-231', 'REPO-232', 'REPO-233'],
    level: 'MUST',
    beyond: true,
    needs: ['git'],
    explanation: 'Every ref is listed, and returned by its name, as stock git shows it in a mirror.',
    async run(t) {
      const repo = await oddRepo(t);
      const cwd = await mirrored(t, repo);
      const shown = (await t.git(['show-ref', '--dereference'], { cwd })).split('\n').filter(Boolean);
      const peeled = new Map(
        shown.flatMap((line) => (line.endsWith('^{}') ? [[line.slice(41, -3), line.slice(0, 40)]] : [])),
      );
      const expected: ShownRef[] = [];
      for (const line of shown.filter((one) => !one.endsWith('^{}'))) {
        const [hash, name] = [line.slice(0, 40), line.slice(41)];
        const kind = (await t.git(['cat-file', '-t', hash], { cwd })).trim();
        expected.push({ name, hash, kind, peeled: peeled.get(name) ?? null });
      }
      expected.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
      const list = await listed(t, repo);
      same(list, expected, 'The list.');
      assertMembers(list[0] as ShownRef, ['name', 'hash', 'kind', 'peeled'], 'a ref');
      for (const ref of expected) {
        const rest = ref.name.slice('refs/'.length);
        const inParts = rest.split('/').map(encodeURIComponent).join('/');
        for (const path of [inParts, encodeURIComponent(rest)]) {
          same(assertSuccess(await t.rest('GET', `${refsOf(repo)}/${path}`), 200, path), ref, `GET refs/${path}`);
        }
      }
    },
  },
  {
    id: 'rest/refs/pages',
    requirements: ['LIM-024', 'REPO-092', 'REPO-233'],
    level: 'MUST',
    beyond: true,
    explanation:
      'A list has pages of any size from 1 to 1,000, and those refs alone whose full names begin with a prefix.',
    async run(t) {
      const tip = change('tip');
      const names = Array.from({ length: 130 }, (_, i) => `refs/heads/b${i}`);
      const wanted = Object.fromEntries([...names, 'refs/heads/b', 'refs/tags/b'].map((name) => [name, tip]));
      const repo = await repoWith(t, wanted, tip.all);
      const sorted = Object.keys(wanted).sort();
      const first = await t.rest('GET', refsOf(repo));
      same(assertSuccess(first, 200, 'the first page').length, 100, 'A page has 100 refs unless it says otherwise.');
      same(first.json.result_info.per_page, 100, 'It says so.');
      const plan = fc.record({
        prefix: fc.constantFrom(
          '',
          'refs/',
          'refs/heads/',
          'refs/heads/b1',
          'refs/tags/',
          'refs/tags',
          'heads/',
          'HEAD',
          'x',
        ),
        limit: fc.oneof(fc.integer({ min: 7, max: 140 }), fc.constant(1000)),
      });
      await holds(
        t,
        12,
        fc.asyncProperty(plan, async ({ prefix, limit }) => {
          const found = (await listed(t, repo, prefix, limit)).map(({ name }) => name);
          same(
            found,
            sorted.filter((name) => name.startsWith(prefix)),
            `prefix=${prefix}, limit=${limit}`,
          );
        }),
      );
      same(await listed(t, await t.createRepo()), [], 'An empty repo has no refs.');
    },
  },
  {
    id: 'rest/refs/changing-list',
    requirements: ['REPO-094', 'REPO-233'],
    level: 'MUST',
    beyond: true,
    explanation: 'A walk returns every ref that stays exactly once, whatever is pushed meanwhile.',
    async run(t) {
      const tip = change('tip');
      const stays = ['b', 'd', 'f', 'h', 'j'].map((name) => `refs/heads/${name}`);
      const others = ['a', 'c', 'e', 'g', 'i', 'k'].map((name) => `refs/heads/${name}`);
      const all = [...stays, ...others.slice(0, 3)];
      const repo = await repoWith(t, Object.fromEntries(all.map((name) => [name, tip])), tip.all);
      const there = new Set(others.slice(0, 3));
      const seen: string[] = [];
      let step = 0;
      for await (const page of walk<ShownRef>(t, `${refsOf(repo)}?limit=2`)) {
        seen.push(...page.map(({ name }) => name));
        const other = others[step++ % others.length] as string;
        await accepted(repo, [there.has(other) ? remove(other, tip) : set(other, tip)], pack());
        if (!there.delete(other)) there.add(other);
      }
      same(
        seen.filter((name) => stays.includes(name)),
        stays,
        'What stayed, once and in order.',
      );
      same(new Set(seen).size, seen.length, 'Nothing comes twice.');
    },
  },
  {
    id: 'rest/refs/refused',
    requirements: ['LIM-024', 'REPO-036', 'REPO-089', 'REPO-093', 'REPO-233', 'REPO-234'],
    level: 'MUST',
    beyond: true,
    explanation: 'Limits, cursors of other lists, and names that no ref has are refused.',
    async run(t) {
      const repo = await oddRepo(t);
      const path = refsOf(repo);
      const small = 'Too small: expected number to be >=1';
      await assertRefused(t, ['GET', `${path}?limit=0`], badField('limit', small));
      await assertRefused(t, ['GET', `${path}?limit=1001`], badField('limit', 'Too big: expected number to be <=1000'));
      const { cursor } = (await t.rest('GET', `${path}?limit=1&prefix=refs/`)).json.result_info as { cursor: string };
      const other = refsOf(await t.createRepo());
      for (const wrong of [
        `${path}?cursor=${cursor}`,
        `${path}?prefix=refs/heads/&cursor=${cursor}`,
        `${other}?prefix=refs/&cursor=${cursor}`,
        `${path}?prefix=refs/&cursor=${cursor}A`,
        `${path}?prefix=refs/&cursor=x`,
      ]) {
        await assertRefused(t, ['GET', wrong], failures.cursor);
      }
      const first = assertSuccess(await t.rest('GET', `${path}?limit=1&cursor=`), 200, 'an empty cursor');
      same(first[0]?.name, 'refs/heads/a-b', 'An empty cursor begins the list.');
      for (const name of [
        'heads',
        'heads/none',
        'heads/a',
        'heads/main/',
        'heads//main',
        'main',
        'HEAD',
        'heads/a..b',
        'heads/%ff',
        'heads/%00',
        `heads/${'x'.repeat(2000)}`,
        'refs/heads/main',
      ]) {
        await assertRefused(t, ['GET', `${path}/${name}`], notFound.ref);
      }
      const missing = `/namespaces/${t.namespace}/repos/none/refs`;
      const none = missing.slice(0, -'/refs'.length);
      const others = ['/tree', '/compare?base=a&head=b', '/archive/main.tar'].map((path) => none + path);
      for (const one of [missing, `${missing}/heads/main`, `${missing}/heads/%ff`, ...others])
        await assertRefused(t, ['GET', one], failures.noRepo);
      await assertRefused(t, ['GET', `${missing}?limit=0`], badField('limit', small));
    },
  },
  {
    id: 'rest/refs/permissions',
    requirements: ['REPO-030', 'REPO-230', 'REPO-231'],
    level: 'MUST',
    beyond: true,
    needs: ['read token'],
    explanation: 'Refs are read with the permission to read, and not without one.',
    async run(t) {
      const repo = await oddRepo(t);
      for (const path of [refsOf(repo), `${refsOf(repo)}/heads/main`]) {
        assertSuccess(await t.rest('GET', path, { token: t.readToken }), 200, path);
        same((await t.rest('GET', path, { token: null })).status, 401, `${path} without a credential`);
      }
    },
  },
);
