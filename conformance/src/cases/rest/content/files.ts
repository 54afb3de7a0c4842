/** REPO-147 to REPO-149 of docs/specification/repositories.md: files by path, and their media types. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { encodedPath, expectBytes, pathOf, readBytes, readJson } from '../../../steps/content.ts';
import { blob, commit, pack, tree, type MadeObject } from '../../../tools/made-objects.ts';
import { rawTree } from '../../../tools/raw-tree.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import { remove, set } from '../../../tools/wire-client.ts';
import { assertFailure, assertRefused, badField, failures } from '../../../steps/replies.ts';
import { notFound } from './failures.ts';

const [plan, deep, link] = ['a plan\n', 'deep down\n', 'docs/deep/x.md'].map((text) => blob(text)) as [
  MadeObject,
  MadeObject,
  MadeObject,
];
const inner = tree({ 'x.md': deep });
const docs = tree({ 'a b&c=d+e%f#g?h': plan, deep: inner, größe: plan, 'x:y;z': plan });
const root = rawTree(
  ['40000', 'docs', docs],
  ['100644', 'line\nend', plan],
  ['120000', 'link', link],
  ['100644', 'plan.md', plan],
  ['100755', 'run', plan],
  ['160000', 'sub', { oid: '12'.repeat(20) }],
);
const node = commit('files', root);
const everything = [node, root, docs, inner, plan, deep, link];

async function filesRepo(t: Context): Promise<TestRepo> {
  return repoWith(t, { 'refs/heads/main': node, 'refs/heads/feature/x': node }, everything);
}

const utf8 = (text: string): string => encodedPath(Buffer.from(text));

export const contentFiles: Suite = suite(
  {
    id: 'rest/content/file-paths',
    requirements: ['REPO-084', 'REPO-085', 'REPO-147', 'REPO-148'],
    level: 'MUST',
    explanation:
      'A path names a file by its segments, of which empty ones and dots do not count; a symlink is its target.',
    async run(t) {
      const repo = await filesRepo(t);
      const found: readonly (readonly [path: string, object: MadeObject])[] = [
        ['plan.md', plan],
        ['run', plan],
        ['link', link],
        ['line\nend', plan],
        ['docs/deep/x.md', deep],
        ['docs/größe', plan],
        ['docs/a b&c=d+e%f#g?h', plan],
        ['docs/x:y;z', plan],
      ];
      for (const [path, { oid, body }] of found) {
        for (const ref of ['', '&ref=main', '&ref=HEAD', `&ref=${node.oid}`, '&ref=feature/x']) {
          const reply = await readBytes(t, repo, `/file?path=${utf8(path)}${ref}`);
          expectBytes(reply, oid, body, `the file ${path}${ref}`);
          assert.equal(reply.headers.get('content-type'), 'application/octet-stream', 'expected the type of bytes');
        }
        expectBytes(await readBytes(t, repo, `/raw/main/${utf8(path)}`), oid, body, `the raw file ${path}`);
      }
      const dots = [
        '/plan.md',
        './plan.md',
        'plan.md/',
        '//plan.md//',
        './/./plan.md/.',
        'docs/..md/../x',
        'docs//deep/./x.md',
      ];
      for (const path of dots.filter((one) => !one.includes('..'))) {
        const { oid, body } = path.endsWith('x.md') ? deep : plan;
        expectBytes(await readBytes(t, repo, `/file?path=${path}`), oid, body, `the file ${path}`);
      }
      for (const path of ['plan.md/', '/plan.md', '%2Fplan.md', '%2F%2Fplan.md%2F', 'plan.md//']) {
        expectBytes(await readBytes(t, repo, `/raw/main/${path}`), plan.oid, plan.body, `the raw file ${path}`);
      }
      for (const path of ['docs%2Fdeep%2Fx.md', 'docs/deep%2Fx.md', 'docs//deep/x.md']) {
        expectBytes(await readBytes(t, repo, `/raw/main/${path}`), deep.oid, deep.body, `the raw file ${path}`);
      }
    },
  },
  {
    id: 'rest/content/file-missing',
    requirements: ['REPO-147', 'REPO-148', 'REPO-167'],
    level: 'MUST',
    explanation: 'What is no file is 404: folders, submodules, paths that lead nowhere or back.',
    async run(t) {
      const repo = await filesRepo(t);
      const missing = [
        'none',
        'Plan.md',
        'plan',
        'plan.md2',
        'docs',
        'docs/',
        'docs/deep',
        'docs/none',
        'sub',
        'sub/x',
        'plan.md/x',
        'link/x',
        'link/deep/x.md',
        '..',
        '../plan.md',
        'docs/..',
        'docs/../plan.md',
        'plan.md/..',
        'x'.repeat(3_000),
        `${'a/'.repeat(1_000)}a`,
        'plan.md\0',
        '\ufffd',
      ];
      for (const path of missing) {
        await assertRefused(t, ['GET', `${pathOf(repo)}/file?path=${encodeURIComponent(path)}`], notFound.file);
        const raw = `${pathOf(repo)}/raw/main/${encodeURIComponent(path)}`;
        // Clients resolve a path of dots alone before they send it, in any encoding.
        if (!/^\.+$/.test(path)) await assertRefused(t, ['GET', raw], notFound.file);
      }
      for (const path of ['', '.', '/', './', '//', './/.']) {
        await assertRefused(t, ['GET', `${pathOf(repo)}/file?path=${path}`], notFound.file);
      }
      for (const ref of ['none', 'feature', 'refs/heads/none', root.oid, plan.oid, '', '%FF', '0'.repeat(40)]) {
        await assertRefused(t, ['GET', `${pathOf(repo)}/file?path=plan.md&ref=${ref}`], notFound.file);
        if (ref !== '') {
          const raw = `${pathOf(repo)}/raw/${ref.replaceAll('/', '%2F')}/plan.md`;
          await assertRefused(t, ['GET', raw], notFound.file);
        }
      }
      const noPath = badField('path', 'Invalid input: expected string, received undefined');
      await assertRefused(t, ['GET', `${pathOf(repo)}/file`], noPath);
      await assertRefused(t, ['GET', `${pathOf(repo)}/file?ref=main`], noPath);
      await assertRefused(t, ['GET', `${pathOf({ ...repo, name: 'none' })}/file`], noPath);
      const empty = await t.createRepo();
      for (const path of ['/file?path=plan.md', '/raw/main/plan.md', '/raw/HEAD/plan.md']) {
        assertFailure(t, await readJson(t, empty, path), notFound.file, `an empty repo, ${path}`);
      }
    },
  },
  {
    id: 'rest/content/raw-revisions',
    requirements: ['REPO-038', 'REPO-085', 'REPO-148'],
    level: 'MUST',
    beyond: true,
    explanation: 'The first segment of a raw path is the revision, in which %2F is a slash.',
    async run(t) {
      const repo = await filesRepo(t);
      for (const ref of ['feature%2Fx', 'refs%2Fheads%2Ffeature%2fx', 'heads%2Fmain', 'HEAD', node.oid, '%6Dain']) {
        expectBytes(await readBytes(t, repo, `/raw/${ref}/plan.md`), plan.oid, plan.body, `the revision ${ref}`);
      }
      for (const path of [
        'feature/x/plan.md',
        'refs/heads/main/plan.md',
        'feature%252Fx/plan.md',
        'main%2Fplan.md/x',
      ]) {
        await assertRefused(t, ['GET', `${pathOf(repo)}/raw/${path}`], notFound.file);
      }
      for (const path of ['', '/', '/main', '/main%2Fplan.md']) {
        await assertRefused(t, ['GET', `${pathOf(repo)}/raw${path}`], failures.noRoute);
      }
    },
  },
  {
    id: 'rest/content/raw-names',
    requirements: ['REPO-148'],
    level: 'MUST',
    explanation: 'A raw path names files by their bytes, be they text or not.',
    async run(t) {
      const names = [
        '%',
        '%41',
        '%zz',
        '%2',
        'caf\xe9',
        '\xff\xfe',
        '\x01\x1f',
        '"quoted"',
        ':',
        '~',
        'a\\b',
        '\xf0\x9f\x98\x80',
      ];
      const sorted = names.map((name) => Buffer.from(name, 'latin1')).toSorted(Buffer.compare);
      const files = sorted.map((name) => ['100644', name, blob(`the file ${name.toString('hex')}`)] as const);
      const odd = rawTree(...files);
      const top = commit('odd names', odd);
      const repo = await repoWith(t, { 'refs/heads/main': top }, [top, odd, ...files.map(([, , object]) => object)]);
      for (const [, name, { oid, body }] of files) {
        const path = `/raw/main/${encodedPath(name)}`;
        expectBytes(await readBytes(t, repo, path), oid, body, path);
      }
      for (const name of ['%zz', '%2']) {
        const object = files.find(([, one]) => one.toString('latin1') === name)?.[2] as MadeObject;
        const path = `/raw/main/${name}`;
        expectBytes(await readBytes(t, repo, path), object.oid, object.body, `${path}, which encodes nothing`);
      }
    },
  },
  {
    id: 'rest/content/raw-types',
    requirements: ['REPO-149', 'REPO-150'],
    level: 'MUST',
    beyond: true,
    explanation: 'A raw file is shown as an image, a PDF, plain text or bytes, and never as what acts.',
    async run(t) {
      const text = 'text/plain; charset=utf-8';
      const bytes = 'application/octet-stream';
      const rows: readonly (readonly [name: string, content: string | Uint8Array, type: string])[] = [
        ['a.png', 'x', 'image/png'],
        ['a.PNG', 'x', 'image/png'],
        ['a.jpg', 'x', 'image/jpeg'],
        ['a.JpEg', 'x', 'image/jpeg'],
        ['a.gif', 'x', 'image/gif'],
        ['a.webp', 'x', 'image/webp'],
        ['a.ico', 'x', 'image/x-icon'],
        ['a.pdf', 'x', 'application/pdf'],
        ['a.b.pdf', '\0', 'application/pdf'],
        ['apng', 'x', text],
        ['a.pngx', 'x', text],
        ['a.png.txt', 'x', text],
        ['a.html', '<script>alert(1)</script>', text],
        ['a.svg', '<svg onload="alert(1)"/>', text],
        ['a.js', 'alert(1)', text],
        ['a.xml', '<?xml version="1.0"?>', text],
        ['a.json', '{}', text],
        ['a.css', 'a{}', text],
        ['a.mp4', 'x', text],
        ['empty', '', text],
        ['mark', Buffer.of(0xef, 0xbb, 0xbf, 0x41), text],
        ['controls', Buffer.of(1, 2, 27, 127), text],
        ['nul', 'a\0b', bytes],
        ['nul-last', Buffer.concat([Buffer.alloc(8_191, 'a'), Buffer.of(0)]), bytes],
        ['nul-behind', Buffer.concat([Buffer.alloc(8_192, 'a'), Buffer.of(0)]), text],
        ['nul-far', Buffer.concat([Buffer.alloc(500_000, 'a'), Buffer.of(0, 0xff)]), text],
        ['latin', Buffer.from('caf\xe9 au lait', 'latin1'), bytes],
        ['latin-behind', Buffer.concat([Buffer.alloc(8_192, 'a'), Buffer.of(0xff)]), text],
        ['cut-2', Buffer.concat([Buffer.alloc(8_191, 'a'), Buffer.from('ä tail')]), text],
        ['cut-3', Buffer.concat([Buffer.alloc(8_190, 'a'), Buffer.from('€ tail')]), text],
        ['cut-4', Buffer.concat([Buffer.alloc(8_189, 'a'), Buffer.from('😀 tail')]), text],
        ['cut-wrong', Buffer.concat([Buffer.alloc(8_190, 'a'), Buffer.of(0xe2, 0x28, 0x41)]), bytes],
        ['unfinished', Buffer.of(0x41, 0xf0, 0x9f), text],
        ['surrogate', Buffer.of(0xed, 0xa0, 0x80, 0x41), bytes],
        ['overlong', Buffer.of(0xc0, 0x80, 0x41), bytes],
        ['utf-16', Buffer.from('\ufefftext', 'utf16le'), bytes],
        ['large-noise', Buffer.alloc(400_000, 0xff), bytes],
      ];
      const files = Object.fromEntries(
        rows.map(([name, content]) => [name, blob(content)] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      );
      const top = tree(files);
      const head = commit('types', top);
      const repo = await repoWith(t, { 'refs/heads/main': head }, [head, top, ...Object.values(files)]);
      for (const [name, , type] of rows) {
        const { oid, body } = files[name] as MadeObject;
        const reply = await readBytes(t, repo, `/raw/main/${name}`);
        assert.equal(reply.headers.get('content-type'), type, `expected the type of ${name}`);
        expectBytes(reply, oid, body, `the raw file ${name}`);
      }
    },
  },
  {
    id: 'rest/content/file-moves',
    requirements: ['REPO-006', 'REPO-142', 'REPO-147'],
    level: 'MUST',
    explanation: 'What a branch pointed to before is no more at its name.',
    async run(t) {
      const repo = await filesRepo(t);
      const other = tree({ 'plan.md': deep });
      const next = commit('next', other);
      await accepted(repo, [set('refs/heads/main', next, node)], pack(next, other, deep));
      expectBytes(await readBytes(t, repo, '/raw/main/plan.md'), deep.oid, deep.body, 'the file of the new commit');
      expectBytes(await readBytes(t, repo, `/raw/${node.oid}/plan.md`), plan.oid, plan.body, 'that of the old one');
      await accepted(repo, [remove('refs/heads/main', next)]);
      await assertRefused(t, ['GET', `${pathOf(repo)}/raw/main/plan.md`], notFound.file);
    },
  },
);
