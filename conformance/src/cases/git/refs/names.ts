/** GIT-120 to GIT-122 and GIT-124 of docs/specification/git.md: names of refs. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { change, pack } from '../../../tools/made-objects.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import { sameReport } from '../../../tools/push-reports.ts';
import { same } from '../../../tools/same.ts';
import { commandBody, linesOf, listedRefs, post, push, remove, set } from '../../../tools/wire-client.ts';

const first = change('first');
const second = change('second', first);

type Names = Readonly<Record<string, readonly (string | Buffer)[]>>;

/** Invalid ref names, by reason: those of git-check-ref-format(1). */
const funny: Names = {
  'it does not start with refs/': ['HEAD', 'main', 'heads/main', '@', 'refs', '/refs/heads/x'],
  'it has fewer than two components after refs/': ['refs/x', 'refs/heads/'],
  'a component is empty': ['refs//heads/x', 'refs/heads/a/', 'refs/heads/a//b'],
  'a component starts with a dot': ['refs/heads/.x', 'refs/heads/a/.b', 'refs/heads/../../x'],
  'a component ends with .lock': ['refs/heads/x.lock', 'refs/heads/a.lock/b'],
  'it has two dots': ['refs/heads/a..b'],
  'it ends with a dot': ['refs/heads/a.'],
  'it has @{': ['refs/heads/a@{b'],
  'it has a forbidden byte': ['\\', ' ', '\x01', '\x7f', '~', '^', ':', '?', '*', '['].map(
    (byte) => `refs/heads/a${byte}b`,
  ),
};

/** Names that Git itself accepts. */
const tooOdd: Names = {
  'it is not UTF-8': [Buffer.from('refs/heads/\xff', 'latin1'), Buffer.from('refs/heads/\xc0\xaf', 'latin1')],
  'it has more than 1,024 bytes': [`refs/heads/${'x'.repeat(1014)}`],
};

const fine = [
  'refs/heads/x',
  'refs/tags/a.b',
  'refs/notes/commits',
  'refs/pull/1/head',
  'refs/x/y',
  'refs/heads/@',
  'refs/heads/-x',
  'refs/heads/HEAD',
  'refs/heads/\u00e4/\u65e5\u672c',
  `refs/heads/${'x'.repeat(1013)}`,
  'refs/heads/a@b{c}',
];

function plainRepo(t: Context): Promise<TestRepo> {
  return repoWith(t, { 'refs/heads/main': first }, first.all);
}

/** Expects that each name is refused, and the ref beside it made. */
async function expectFunny(t: Context, names: Names): Promise<void> {
  const repo = await plainRepo(t);
  let count = 0;
  for (const [why, all] of Object.entries(names)) {
    for (const name of all) {
      const beside = `refs/beside/${count++}`;
      sameReport(
        repo,
        await push(repo, [set(name, first), set(beside, first)], pack()),
        ['unpack ok', `ng ${Buffer.from(name).toString()} funny refname`, `ok ${beside}`],
        `The name is refused: ${why}.`,
      );
    }
  }
}

/** The valid names for this repo. Another server may keep refs as files, whose names have at most 255 bytes. */
function fineFor({ foreign }: Pick<TestRepo, 'foreign'>): string[] {
  return fine.filter((name) => foreign !== true || name.length < 255);
}

/** A random ref name, made of special and ordinary parts. */
const randomName = fc
  .array(fc.constantFrom('a', 'b', '.', '..', '/', '.lock', '@', '@{', '-', '~', '\u00e9', '{', '}', '*', ' ', '^'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => `refs/heads/${parts.join('')}`);

export const gitRefsNames: Suite = suite(
  {
    id: 'git/refs/funny-names',
    requirements: ['GIT-120', 'GIT-121', 'LIM-055'],
    level: 'MUST',
    explanation: 'A name that no ref may have is refused as a funny refname, and the rest of the push goes on.',
    run: (t) => expectFunny(t, funny),
  },
  {
    id: 'git/refs/odd-names',
    requirements: ['GIT-120', 'LIM-055'],
    level: 'MUST',
    own: true,
    explanation: 'A name that is not UTF-8, or has more than 1,024 bytes, is refused as a funny refname.',
    run: (t) => expectFunny(t, tooOdd),
  },
  {
    id: 'git/refs/any-namespace',
    requirements: ['GIT-120', 'GIT-122', 'LIM-055'],
    level: 'MUST',
    explanation: 'Every other name is accepted in any namespace: pushed, listed and deleted.',
    async run(t) {
      const repo = await plainRepo(t);
      const names = fineFor(repo);
      await accepted(
        repo,
        names.map((name) => set(name, first)),
        pack(),
      );
      const listed = linesOf((await post(repo, commandBody('ls-refs'))).body);
      const shown = listed.map((line) => Buffer.from(line, 'latin1').toString());
      for (const name of names) assert.ok(shown.includes(`${first.oid} ${name}`), `${name.slice(0, 40)} is listed.`);
      await accepted(
        repo,
        names.map((name) => remove(name, first)),
      );
      same(Object.keys(await listedRefs(repo)), ['HEAD', 'refs/heads/main'], 'All of them are gone again.');
    },
  },
  {
    id: 'git/refs/any-namespace-fetched',
    requirements: ['GIT-122'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'Stock git fetches refs of any namespace by their names.',
    async run(t) {
      const repo = await t.createRepo();
      const names = fineFor(repo);
      await accepted(
        repo,
        names.map((name) => set(name, first)),
        pack(...first.all),
      );
      const cwd = await t.folder();
      await t.git(['init', '--quiet', '--bare', cwd]);
      const specs = names.map((name, i) => `${name}:refs/got/${i}`);
      await t.git([...repo.auth, 'fetch', '--quiet', repo.remote, ...specs], { cwd });
      const got = await t.git(['for-each-ref', '--format=%(objectname)', 'refs/got'], { cwd });
      same(
        got.trim().split('\n'),
        names.map(() => first.oid),
        'Each of them came.',
      );
    },
  },
  {
    id: 'git/refs/names-as-stock-git',
    requirements: ['GIT-120'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'Random names are accepted if git check-ref-format accepts them, and only then.',
    async run(t) {
      const repo = await plainRepo(t);
      const fits = fc.asyncProperty(randomName, async (name) => {
        const { status } = await t.tryGit(['check-ref-format', name]);
        const expected = status === 0 ? `ok ${name}` : `ng ${name} funny refname`;
        const what = `git check-ref-format ends with ${status} for ${name}`;
        sameReport(repo, await push(repo, [set(name, first)], pack()), ['unpack ok', expected], what);
        // The next name might be below this one.
        if (status === 0) await accepted(repo, [remove(name, first)]);
      });
      await fc.assert(fits, { seed: t.seed, numRuns: 25 });
    },
  },
  {
    id: 'git/refs/leading-paths',
    requirements: ['GIT-124'],
    level: 'MUST',
    beyond: true,
    explanation: 'No ref is a leading path of another, whether that stands already or comes in the same push.',
    async run(t) {
      const repo = await plainRepo(t);
      await accepted(repo, [set('refs/heads/a/b', first)], pack());
      sameReport(
        repo,
        await push(
          repo,
          ['a', 'a/b/c', 'ab'].map((name) => set(`refs/heads/${name}`, first)),
          pack(),
        ),
        [
          'unpack ok',
          'ng refs/heads/a conflicts with refs/heads/a/b',
          'ng refs/heads/a/b/c conflicts with refs/heads/a/b',
          'ok refs/heads/ab',
        ],
        'What conflicts with a ref that is there is refused.',
      );
      const both = await push(repo, [set('refs/heads/d', first), set('refs/heads/d/e', first)], pack());
      assert.equal(both[0], 'unpack ok', 'Both in one push are unpacked.');
      assert.equal(both.filter((line) => line.startsWith('ok ')).length, 1, 'Only one of them is made.');
      const refused = both.filter(
        (line) => line.startsWith('ng ') && (repo.foreign || / conflicts with refs\/heads\/d/.test(line)),
      );
      assert.equal(refused.length, 1, 'The other conflicts with it.');
    },
  },
  {
    id: 'git/refs/leading-path-replaced',
    requirements: ['GIT-124'],
    level: 'MUST',
    beyond: true,
    own: true,
    explanation: 'Deleting a ref and creating one below or above it in one push works, unless the delete is refused.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/f': first }, [...first.all, ...second.all]);
      await accepted(repo, [set('refs/heads/f/g', first), remove('refs/heads/f', first)], pack());
      await accepted(repo, [remove('refs/heads/f/g', first), set('refs/heads/f', first)], pack());
      same(
        Object.keys(await listedRefs(repo)),
        ['HEAD', 'refs/heads/f'],
        'After both pushes the first ref is there again, alone.',
      );
      sameReport(
        repo,
        await push(repo, [remove('refs/heads/f', second), set('refs/heads/f/g', first)], pack()),
        ['unpack ok', 'ng refs/heads/f stale ref', 'ng refs/heads/f/g conflicts with refs/heads/f'],
        'A ref whose delete is refused stands in the way still.',
      );
    },
  },
);
