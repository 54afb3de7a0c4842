/** REPO-140 to REPO-145 of docs/specification/repositories.md: commits and trees by their ids. */

import { suite, type Suite } from '../../../core/case.ts';
import type { Context } from '../../../core/context.ts';
import { commitOf, logOf, pathOf, treeOf } from '../../../steps/content.ts';
import { blob, change, commit, made, tag, tree, type MadeObject } from '../../../tools/made-objects.ts';
import { rawTree } from '../../../tools/raw-tree.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { StockContent } from '../../../steps/stock-content.ts';
import { assertRefused, failures } from '../../../steps/replies.ts';
import { badHash, notFound } from './failures.ts';

const root = tree({ file: blob('file') });

/** Makes a commit with header lines as bytes, one per character. */
function written(author: string, headers: string, message: string, committer = author): MadeObject {
  const head = `tree ${root.oid}\nauthor ${author}\ncommitter ${committer}\n${headers}`;
  return made('commit', Buffer.from(`${head}\n${message}`, 'latin1'));
}

const ada = 'Ada <ada@example.test> 1795165100 +0100';

/** Puts each commit on a separate branch. */
async function repoOf(t: Context, commits: readonly MadeObject[]): ReturnType<typeof repoWith> {
  const refs = Object.fromEntries(commits.map((one, i) => [`refs/heads/b${i}`, one]));
  return repoWith(t, refs, [...commits, root, blob('file')]);
}

export const contentObjects: Suite = suite(
  {
    id: 'rest/content/hashes',
    requirements: ['REPO-036', 'REPO-089', 'REPO-140', 'REPO-144', 'REPO-167'],
    level: 'MUST',
    explanation: 'An id is 40 lower-case hexadecimal digits, which is looked at before the repo; else 400.',
    async run(t) {
      const first = change('first');
      const repo = await repoWith(t, { 'refs/heads/main': first }, first.all);
      const none = { ...repo, name: 'none' };
      for (const kind of ['commit', 'tree', 'blob'] as const) {
        const bad = [
          first.oid.slice(1),
          `${first.oid}0`,
          first.oid.toUpperCase().replace(/^./, 'A'),
          `g${first.oid.slice(1)}`,
          'HEAD',
          'main',
          `${first.oid.slice(0, 39)}%0A`,
          `%20${first.oid}`,
          '0'.repeat(64),
        ];
        for (const hash of bad) {
          for (const one of [repo, none]) await assertRefused(t, ['GET', `${pathOf(one)}/${kind}/${hash}`], badHash);
        }
        for (const hash of ['0'.repeat(40), 'f'.repeat(40), '12'.repeat(20)]) {
          await assertRefused(t, ['GET', `${pathOf(repo)}/${kind}/${hash}`], notFound[kind]);
        }
        await assertRefused(t, ['GET', `${pathOf(none)}/${kind}/${first.oid}`], failures.noRepo);
      }
      for (const path of ['/log', '/file?path=x', '/raw/main/x']) {
        await assertRefused(t, ['GET', `${pathOf(none)}${path}`], failures.noRepo);
      }
    },
  },
  {
    id: 'rest/content/other-kinds',
    requirements: ['REPO-144'],
    level: 'MUST',
    beyond: true,
    explanation: 'An object of another kind is as none, tags included, which are not peeled here.',
    async run(t) {
      const first = change('first');
      const named = tag('v1', first);
      const repo = await repoWith(t, { 'refs/heads/main': first, 'refs/tags/v1': named }, [...first.all, named]);
      const kinds = { commit: first, tree: first.root, blob: first.file, tag: named };
      for (const kind of ['commit', 'tree', 'blob'] as const) {
        for (const [other, { oid }] of Object.entries(kinds)) {
          if (kind !== other) await assertRefused(t, ['GET', `${pathOf(repo)}/${kind}/${oid}`], notFound[kind]);
        }
      }
    },
  },
  {
    id: 'rest/content/commit-members',
    requirements: ['REPO-046', 'REPO-055', 'REPO-081'],
    level: 'MUST',
    explanation: 'A commit has just the members of its shape, in this order, with its times as Unix seconds.',
    async run(t) {
      const parent = change('parent');
      const bob = 'Bob van Bö <bob@example.test> 1700000007 -0330';
      const bytes = Buffer.from(bob).toString('latin1');
      const child = made(
        'commit',
        Buffer.from(
          `tree ${root.oid}\nparent ${parent.oid}\nauthor ${ada}\ncommitter ${bytes}\n\nsubject\n\nbody\n\n`,
          'latin1',
        ),
      );
      const repo = await repoWith(t, { 'refs/heads/main': child }, [...parent.all, root, blob('file'), child]);
      const shown = await commitOf(t, repo, child.oid);
      same(
        JSON.stringify(shown),
        JSON.stringify({
          hash: child.oid,
          treeHash: root.oid,
          message: 'subject\n\nbody\n',
          author: { name: 'Ada', email: 'ada@example.test' },
          committer: { name: 'Bob van Bö', email: 'bob@example.test' },
          parents: [parent.oid],
          authoredAt: 1_795_165_100,
          committedAt: 1_700_000_007,
        }),
        'The commit as it is shown.',
      );
      same((await logOf(t, repo))[0], shown, 'The log shows the same.');
    },
  },
  {
    id: 'rest/content/messages',
    requirements: ['REPO-055'],
    level: 'MUST',
    explanation: 'A message is complete, and loses just one line end at its end.',
    async run(t) {
      const messages = [
        '',
        '\n',
        '\n\n',
        'x',
        'x\n',
        'x\n\n',
        '\nx',
        ' x \n',
        'x\r\n',
        '# x\n',
        'a\n\nb\n',
        '\t"\\\x07\x7f',
      ];
      const commits = messages.map((message, i) => written(ada.replace('100 ', `${200 + i} `), '', message));
      const repo = await repoOf(t, commits);
      for (const [i, { oid }] of commits.entries()) {
        const message = messages[i]?.replace(/\n$/, '');
        same((await commitOf(t, repo, oid)).message, message, `The message ${JSON.stringify(messages[i])}.`);
      }
    },
  },
  {
    id: 'rest/content/encodings',
    requirements: ['REPO-055'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'Texts are decoded by the encoding of the commit where it is known, as stock git does; else as UTF-8.',
    async run(t) {
      const latin = 'J\xf6rg <j\xf6rg@example.test> 1795165100 +0100';
      const japanese = '\x93\xfa\x96{ <a@example.test> 1795165100 +0100';
      const known: readonly MadeObject[] = [
        written(latin, 'encoding ISO-8859-1\n', 'na\xefve \x80\x9f\n'),
        written(latin, 'encoding latin1\n', '\xe4\n'),
        written(latin, 'encoding ISO-8859-15\n', '\xa4\n'),
        written(latin, 'encoding windows-1252\n', '\x80\n'),
        written(latin, 'encoding windows-1251\n', '\xcf\xf0\xe8\n'),
        written(latin, 'encoding KOI8-R\n', '\xf0\xd2\n'),
        written(japanese, 'encoding Shift_JIS\n', '\x93\xfa\x96{\n'),
        written('\xc6\xfc <a@example.test> 1795165100 +0100', 'encoding EUC-JP\n', '\xc6\xfc\xcb\xdc\n'),
        written(ada, 'encoding ISO-2022-JP\n', '\x1b$BF|K\\\x1b(B\n'),
        written('\xce\xc4 <a@example.test> 1795165100 +0100', 'encoding GBK\n', '\xce\xc4\n'),
        written('\xc4\x80 <a@example.test> 1795165100 +0100', 'encoding UTF-8\n', '\xe2\x82\xac\n'),
        written(ada, 'encoding utf8\n', '\xe2\x82\xac\n'),
        // As in git, the header decides, although the bytes are also valid UTF-8.
        written(ada, 'encoding ISO-8859-1\n', '\xc3\xa4\n'),
        written(ada, 'gpgsig x\n encoding ISO-8859-1\n y\nencoding ISO-8859-2\n', '\xb1\n'),
        written(ada, '', 'encoding ISO-8859-1\n\xc3\xa4\n'),
        written(ada, '', '\ufeffmarked\n'.replace('\ufeff', '\xef\xbb\xbf')),
      ];
      const lossy: readonly (readonly [MadeObject, name: string, message: string])[] = [
        [written(latin, '', 'a\xffb\xe2\x82\n'), 'J\ufffdrg', 'a\ufffdb\ufffd'],
        [written(latin, 'encoding X-NONE\n', '\xe4\n'), 'J\ufffdrg', '\ufffd'],
        [written(latin, 'encoding UTF-8\n', '\xe4\n'), 'J\ufffdrg', '\ufffd'],
        [written(ada, 'encoding X-NONE\n', '\xc3\xa4\n'), 'Ada', 'ä'],
        // The bytes do not match the declared encoding.
        [written(ada, 'encoding EUC-JP\n', 'x \xff\n'), 'Ada', 'x \ufffd'],
      ];
      const repo = await repoOf(t, [...known, ...lossy.map(([one]) => one)]);
      const stock = await StockContent.of(t, repo);
      for (const { oid, body } of known) {
        same(
          await commitOf(t, repo, oid),
          (await stock.log(oid))[0],
          `The commit ${JSON.stringify(body.toString('latin1'))}.`,
        );
      }
      for (const [{ oid }, name, message] of lossy) {
        const shown = await commitOf(t, repo, oid);
        same([shown.author.name, shown.message], [name, message], 'What is not UTF-8 is shown as U+FFFD.');
      }
    },
  },
  {
    id: 'rest/content/people',
    requirements: ['REPO-046', 'REPO-055'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'Names, addresses and times are those that stock git shows.',
    async run(t) {
      const commits = [
        'A <a@example.test> 0 +0000',
        'A <a@example.test> 1 -1200',
        'A <a@example.test> 4294967296 +0000',
        'A <a@example.test> 99999999999 +1400',
        'A  B   C <a@example.test> 1700000000 +0000',
        'A "B" \'C\' \\ <a@example.test> 1700000000 +0000',
        'A <> 1700000000 +0000',
        'A <a b@example.test> 1700000000 +0000',
        '\xf0\x9f\x98\x80 <\xc3\xa4@example.test> 1700000000 +0000',
      ].map((person) => written(person, '', 'x\n'));
      const repo = await repoOf(t, commits);
      const stock = await StockContent.of(t, repo);
      for (const { oid, body } of commits) {
        same(await commitOf(t, repo, oid), (await stock.log(oid))[0], `The commit ${JSON.stringify(body.toString())}.`);
      }
    },
  },
  {
    id: 'rest/content/tree-entries',
    requirements: ['REPO-056', 'REPO-082', 'REPO-145'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'A tree shows its immediate children with modes and types, in the order of Git.',
    async run(t) {
      const file = blob('file');
      const folder = tree({ file });
      const submodule = { oid: '12'.repeat(20) };
      const names = (...texts: readonly string[]): readonly Buffer[] =>
        texts.map((text) => Buffer.from(text, 'latin1'));
      const [control, quoted, latin, mark] = names('a\n\t', 'b"\\', 'caf\xe9', '\xef\xbb\xbfx') as [
        Buffer,
        Buffer,
        Buffer,
        Buffer,
      ];
      const full = rawTree(
        ['100644', ' ', file],
        ['100644', '-', file],
        ['100644', control, file],
        ['100644', 'a-b', file],
        ['100644', 'a.b', file],
        ['40000', 'a', folder],
        ['100644', 'a0', file],
        ['100644', quoted, file],
        ['100644', latin, file],
        ['120000', 'link', file],
        ['100755', 'run', file],
        ['160000', 'sub', submodule],
        ['100644', 'x'.repeat(1_000), file],
        ['100644', mark, file],
      );
      const node = commit('full', full);
      const repo = await repoWith(t, { 'refs/heads/main': node }, [node, full, folder, file]);
      const shown = await treeOf(t, repo, full.oid);
      same(shown, await (await StockContent.of(t, repo)).tree(full.oid), 'The entries are those of git ls-tree.');
      same(
        JSON.stringify(shown.filter(({ name }) => /^(?:a|link|run|sub|caf.)$/.test(name))),
        JSON.stringify([
          { name: 'a', mode: '40000', hash: folder.oid, type: 'tree' },
          { name: 'caf\ufffd', mode: '100644', hash: file.oid, type: 'blob' },
          { name: 'link', mode: '120000', hash: file.oid, type: 'symlink' },
          { name: 'run', mode: '100755', hash: file.oid, type: 'exec' },
          { name: 'sub', mode: '160000', hash: submodule.oid, type: 'gitlink' },
        ]),
        'Modes and types, and names as far as they are UTF-8.',
      );
    },
  },
  {
    id: 'rest/content/historic-modes',
    requirements: ['REPO-056'],
    level: 'MUST',
    needs: ['settings'],
    settings: { strict_objects: false },
    explanation: 'Modes of old history are shown as what they mean.',
    async run(t) {
      const file = blob('file');
      const folder = tree({ file });
      const old = rawTree(
        ['100664', 'a', file],
        ['100600', 'b', file],
        ['100775', 'c', file],
        ['100744', 'd', file],
        ['040000', 'e', folder],
      );
      const node = commit('old', old);
      const repo = await repoWith(t, { 'refs/heads/main': node }, [node, old, folder, file]);
      same(
        (await treeOf(t, repo, old.oid)).map(({ name, mode, type }) => `${name} ${mode} ${type}`),
        ['a 100644 blob', 'b 100644 blob', 'c 100755 exec', 'd 100755 exec', 'e 40000 tree'],
        'The modes that Git has today.',
      );
    },
  },
  {
    id: 'rest/content/large-trees',
    requirements: ['REPO-082', 'REPO-145'],
    level: 'MUST',
    explanation: 'A folder of many thousand entries is shown whole.',
    async run(t) {
      const file = blob('file');
      const entries = Array.from({ length: 20_000 }, (_, i) => [`f${String(i).padStart(6, '0')}`, file] as const);
      const many = tree(Object.fromEntries(entries));
      const node = commit('many', many);
      const repo = await repoWith(t, { 'refs/heads/main': node }, [node, many, file]);
      const shown = await treeOf(t, repo, many.oid);
      same(
        shown.map(({ name }) => name),
        entries.map(([name]) => name),
        'All entries, in order.',
      );
    },
  },
);
