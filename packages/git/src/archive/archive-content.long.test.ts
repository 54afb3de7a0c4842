import { randomBytes } from 'node:crypto';
import { crc32, gunzipSync, inflateRawSync } from 'node:zlib';
import { fc, it as property } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { stockGit, type StockGit } from '../pack/stock-git.test.util.ts';
import type { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import type { PackId } from '../ports/pack-store.ts';
import { RepositoryView } from '../repository/repository-view.ts';
import type { ArchiveContent } from './archive-content.ts';
import {
  archiveOf,
  commitFiles,
  openArchive,
  repositoryOf,
  type MadeCommit,
  type MadeFile,
} from './archived-repository.test.util.ts';

let git: StockGit;

/** Expects the same bytes as from stock git, for the whole tree or a path. */
async function expectSame(made: MadeCommit, { path = '', prefix = '' } = {}): Promise<Buffer> {
  commitFiles(git, made);
  const tar = await archiveOf(await repositoryOf(git), { path, prefix });
  const asked = path === '' ? [] : ['--', `:(literal)${path}`];
  const expected = git.run(['archive', `--prefix=${prefix}`, 'main', ...asked]);
  expect(contentsOf(tar)).toEqual(contentsOf(expected));
  expect(tar.equals(expected)).toBe(true);
  return tar;
}

/** Names, types and contents of the entries of a tar archive, to show differences. */
function contentsOf(tar: Buffer): readonly string[] {
  const found: string[] = [];
  for (let at = 0; tar[at] !== 0;) {
    const header = tar.toString('latin1', at, at + 512);
    const size = Number.parseInt(header.slice(124, 135), 8);
    const text = tar.toString('latin1', at + 512, at + 512 + Math.min(size, 2000));
    found.push(`${header[156]} ${header.slice(0, 100).replaceAll('\0', '')} ${header.slice(100, 107)} ${text}`);
    at += 512 * (1 + Math.ceil(size / 512));
  }
  return found;
}

const long = (name: string, length: number): string => name.padEnd(length, name);

describe('an archive and stock git', () => {
  beforeEach(() => {
    git = stockGit();
  });
  afterEach(() => git.remove());

  it('REPO-289: have the same bytes for files, links, submodules and long names', async () => {
    await expectSame({
      files: [
        { path: 'a', content: 'text\n' },
        { path: 'empty', content: '' },
        { path: 'run', content: '#!/bin/sh\n', mode: '100755' },
        { path: 'link', content: 'a', mode: '120000' },
        { path: 'far', content: long('x/', 101), mode: '120000' },
        { path: 'far2', content: long('x/', 100), mode: '120000' },
        { path: 'sub/module', content: '1'.repeat(40), mode: '160000' },
        { path: 'big', content: Buffer.alloc(700_000, 'some bytes ') },
        { path: 'ä/ö\n', content: 'x' },
        ...[99, 100, 101, 102].map((length) => ({ path: long('n', length), content: 'x' })),
        ...[153, 154, 155, 156].map((length) => ({ path: `${long('d', length)}/f`, content: 'x' })),
        { path: `${long('e', 50)}/${long('f', 103)}/${long('g', 100)}`, content: 'x' },
        { path: `${long('e', 50)}/${long('f', 104)}/${long('g', 100)}`, content: 'x' },
        { path: `${long('e', 50)}/${long('f', 40)}/${long('g', 101)}`, content: 'x' },
      ],
    });
  });

  it.each([
    { path: 'a/b', prefix: '' },
    { path: 'a/b/f', prefix: 'p-' },
    { path: 'a/m', prefix: 'x/y/' },
    { path: 'a/none', prefix: 'x/' },
    { path: '', prefix: `${'x'.repeat(120)}/` },
  ])('REPO-288: have the same bytes for the path "$path" and the prefix "$prefix"', async (asked) => {
    const files: MadeFile[] = [
      { path: '.gitattributes', content: 'none export-ignore\n' },
      { path: 'a/.gitattributes', content: 'g export-ignore\n' },
      { path: 'a/b/f', content: 'x' },
      { path: 'a/b/g', content: 'x' },
      { path: 'a/m', content: '1'.repeat(40), mode: '160000' },
      { path: 'a/none/f', content: 'x' },
      { path: 'b/f', content: 'x' },
    ];
    await expectSame({ files }, asked);
  });

  it('REPO-290: agree which lines of attribute files count, and for which paths', async () => {
    const lines = [
      '\ufeff* export-ignore',
      '# comment',
      '  spaced export-ignore\r',
      '!negative export-ignore',
      '"quo\\"ted\\040name" export-ignore',
      '"not closed export-ignore',
      'bad export-ignore -=x',
      `${'x'.repeat(2040)} export-ignore`,
      '[attr]gone export-ignore',
      '[attr]kept -gone !export-ignore',
      '[attr]loop loop2',
      '[attr]loop2 loop export-ignore',
      'macro gone',
      'kept gone kept',
      'looped loop',
      'last gone -export-ignore',
      'folder/ export-ignore',
      'both export-ignore',
      'set-to export-ignore=true',
      '/root-only export-ignore',
      'deep/**/x export-ignore',
      'module/ export-ignore',
      'crlf.txt text eol=crlf ident',
      'nul export-ignore\0\nnever export-ignore',
    ];
    const names = [
      'spaced',
      '!negative',
      'quo"ted name',
      '"not',
      'bad',
      'macro',
      'kept',
      'looped',
      'last',
      'both',
      'set-to',
      'nul',
      'never',
      'root-only',
      'deep/x',
      'deep/a/b/x',
      'sub/root-only',
      'sub/macro',
      'sub/folder',
      'folder/f',
      'sub/folder2/folder/f',
      'sub/m2',
    ];
    await expectSame({
      files: [
        { path: '.gitattributes', content: lines.join('\n') },
        {
          path: 'sub/.gitattributes',
          content: 'both -export-ignore\n[attr]m export-ignore\nm2 m\n/folder2 export-ignore\n',
        },
        { path: 'linked/.gitattributes', content: '* export-ignore', mode: '120000' },
        { path: 'linked/f', content: 'x' },
        { path: 'submodule/.gitattributes', content: '1'.repeat(40), mode: '160000' },
        { path: 'submodule/f', content: 'x' },
        { path: 'module', content: '1'.repeat(40), mode: '160000' },
        { path: 'crlf.txt', content: '$Id$\nb\n' },
        { path: 'sub/both', content: 'x' },
        ...names.map((path) => ({ path, content: 'x' })),
      ],
    });
  });

  const word = fc.constantFrom('a', 'b', 'ab', '*', '**', '/', '?', '[ab]', '[!a]', '.', '\\a');
  const pattern = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(''));
  const state = fc.constantFrom(
    'export-ignore',
    '-export-ignore',
    '!export-ignore',
    'm',
    '-m',
    '!m',
    'binary',
    'export-ignore=a',
  );
  const line = fc
    .tuple(
      fc.oneof({ weight: 6, arbitrary: pattern }, fc.constantFrom('[attr]m', '[attr]binary')),
      fc.array(state, { minLength: 1, maxLength: 3 }),
    )
    .map(([subject, states]) => `${subject} ${states.join(' ')}`);
  const file = fc.array(line, { maxLength: 4 }).map((lines) => `${lines.join('\n')}\n`);

  property.prop([fc.dictionary(fc.constantFrom('', 'a/', 'a/b/', 'ab/'), file)], { numRuns: runs(15) })(
    'REPO-290: leave out the same paths, for any patterns',
    async (attributes) => {
      const paths = ['a/a', 'a/b/a', 'a/b/ab', 'a/ab', 'a/.a', 'ab/a', 'ab/b/b', 'b', 'aa', 'ba/a/b/a'];
      await expectSame({
        files: [
          ...paths.map((path) => ({ path, content: path })),
          ...Object.entries(attributes).map(([folder, content]) => ({ path: `${folder}.gitattributes`, content })),
        ],
      });
    },
  );

  const piece = fc.constantFrom(
    '$Id$',
    '$Id: x $',
    '$Id:',
    '$Id: a b $',
    '$',
    ' ',
    '\n',
    '\r\n',
    '\r',
    'text',
    'ä',
    '\u20ac',
    '\0',
    '\x7f',
    '\x1a',
    '\ufeff',
    '\u{1f600}',
    '\xff',
  );
  const content = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  const attribute = fc.constantFrom(
    'text',
    '-text',
    '!text',
    'text=auto',
    'text=input',
    'crlf',
    '-crlf',
    'crlf=input',
    'eol=crlf',
    'eol=crlf',
    'eol=lf',
    'ident',
    'binary',
    ...[
      'UTF-16',
      'utf-16le',
      'UTF-16LE-BOM',
      'UTF-16BE',
      'UTF16',
      'UTF-32',
      'UTF-32BE',
      'latin1',
      'ISO-8859-15',
      'CP1252',
      'KOI8-R',
      'UTF-8',
      'none',
    ].map((label) => `working-tree-encoding=${label}`),
  );

  property.prop([fc.array(fc.tuple(content, fc.array(attribute, { maxLength: 3 })), { minLength: 8, maxLength: 8 })], {
    numRuns: runs(20),
  })('REPO-290: convert the same contents in the same way', async (made) => {
    const lines = made.map(([, attributes], i) => `f${i} ${attributes.join(' ')}\n`);
    const files = made.map(([text], i) => ({
      path: `f${i}`,
      content: Buffer.from(text, text.includes('\xff') ? 'latin1' : 'utf8'),
    }));
    await expectSame({ files: [{ path: '.gitattributes', content: lines.join('') }, ...files] });
  });

  const formats = [
    'H',
    'h',
    'T',
    't',
    'P',
    'p',
    'e',
    'D',
    'd',
    's',
    'f',
    'b',
    'B',
    'm',
    'n',
    '%',
    'x41',
    'x4g',
    'Cred',
  ];
  formats.push(
    'C(bold red)',
    'C(auto)',
    '',
    'q',
    '+b',
    '+s',
    ' d',
    ' b',
    '+D',
    ...['a', 'c'].flatMap((who) => [...'nelditDs'].map((part) => who + part)),
    'cI',
  );
  const subject = fc.constantFrom('a subject', 'a..b - c!', '  led by spaces \t', '(ä) €', '...', 'v1.0.', '');
  const messages = fc
    .tuple(
      fc.constantFrom('', '\n', ' \n\n'),
      fc.array(subject, { minLength: 1, maxLength: 2 }),
      fc.constantFrom('', '\n', '\n\nbody\n', '\n \n\nbody\n\nmore'),
    )
    .map(([start, lines, end]) => start + lines.join('\n') + end);
  const zone = fc.constantFrom('+0100', '-0330', '+1245', '-0000', '+0005');
  const person = fc
    .tuple(
      fc.constantFrom('A', 'Ä B', ''),
      fc.constantFrom('a@example.com', 'a', ''),
      fc.constantFrom(86_400, 1_700_000_000, 4_102_444_800),
      zone,
    )
    .map(([name, email, time, offset]) => `${name}${name && ' '}<${email}> ${time} ${offset}`);

  property.prop([messages, person, person], { numRuns: runs(15) })(
    'REPO-290: show the same commit in formats',
    async (message, author, committer) => {
      const lines = formats.map((format) => `${format}: [$Format:%${format}$] $Format:a%${format}b%n`);
      const files: MadeFile[] = [
        { path: '.gitattributes', content: 'f export-subst\nboth export-subst ident eol=crlf\n' },
        { path: 'f', content: lines.join('\n') },
        { path: 'both', content: '$Id$ $Format:%h%n$\n$Format:' },
        { path: 'other', content: '$Format:%H$' },
      ];
      commitFiles(git, { files: [], message: 'before' });
      for (const ref of ['refs/heads/b', 'refs/tags/v1', 'refs/other/x']) git.run(['update-ref', ref, 'main']);
      await expectSame({ files, message, author, committer });
    },
  );

  it('REPO-290: agree about odd formats, encodings and dates', async () => {
    const odd = [
      '+%',
      '+n',
      ' x41',
      '+z',
      '-z',
      '- ',
      '+',
      '-s',
      '+%h',
      ' %%',
      'n%n%-e%h',
      '+C(auto)',
      '100% done',
      'h é',
      'at é',
      's é',
    ];
    const content = ['+%h é', ...odd].map((format) => `$Format:%${format}$ of ${format}`).join('\n');
    git.run(['symbolic-ref', 'HEAD', 'refs/heads/main']);
    const blob = git.run(['hash-object', '-w', '--stdin'], content).toString().trim();
    const attributes = git.run(['hash-object', '-w', '--stdin'], 'f export-subst\n').toString().trim();
    const tree = git.run(['mktree'], `100644 blob ${attributes}\t.gitattributes\n100644 blob ${blob}\tf\n`);
    for (const [encoding, seconds] of [
      ['iso-8859-1', '00123'],
      ['iso-8859-15', '18446744073709551616'],
      ['bogus', '123456789012345678901234567890'],
    ]) {
      const author = `\xe9 <a@b> ${seconds} +0100`;
      const committer = '\xe9 <a@b> 1700000000 +0100';
      const text = `tree ${tree.toString()}author ${author}\ncommitter ${committer}\nencoding ${encoding}\n\n\xe8\n`;
      const made = ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'];
      git.run(['update-ref', 'refs/heads/main', git.run(made, Buffer.from(text, 'latin1')).toString().trim()]);
      const expected = git.run(['archive', 'main']);
      const tar = await archiveOf(await repositoryOf(git));
      expect(contentsOf(tar)).toEqual(contentsOf(expected));
      expect(tar.equals(expected)).toBe(true);
    }
  });

  it('REPO-290: name the same refs of a commit, hidden ones excepted', async () => {
    const id = commitFiles(git, {
      files: [
        { path: '.gitattributes', content: 'f export-subst' },
        { path: 'f', content: '$Format:%D$%d' },
      ],
    });
    for (const ref of ['heads/z', 'heads/a', 'tags/v1', 'remotes/o/x', 'other/x'])
      git.run(['update-ref', `refs/${ref}`, id]);
    git.run(['tag', '-a', '-m', 'x', 'v2', id]);
    const expected = git.run(['archive', 'main']);
    git.run(['update-ref', 'refs/hidden/x', id]);
    const tar = await archiveOf(await repositoryOf(git));
    expect(contentsOf(tar)).toEqual(contentsOf(expected));
  });

  it('LIM-035: leaves large files as they are, and those that formats would make too large', async () => {
    const files: MadeFile[] = [
      { path: '.gitattributes', content: '* export-subst ident eol=crlf' },
      { path: 'just', content: `$Id$\n${' '.repeat(4 * 1024 * 1024 - 5)}` },
      { path: 'large', content: `$Id$\n${' '.repeat(4 * 1024 * 1024)}` },
      { path: 'many', content: '$Format:%B$'.repeat(100) },
      { path: 'one', content: `$Format:${'%B'.repeat(1_000_000)}$` },
    ];
    commitFiles(git, { files, message: 'm'.repeat(50_000) });
    const shown = contentsOf(await archiveOf(await repositoryOf(git))).join('\n');
    expect(shown).toMatch(/ just 0000664 \$Id: \w{40} \$\r\n/);
    expect(shown).toMatch(/ large 0000664 \$Id\$\n/);
    expect(shown).toMatch(/ many 0000664 \$Format/);
    expect(shown).toMatch(/ one 0000664 \$Format/);
  });

  it('REPO-289: a zip archive has the same entries', async () => {
    const files: MadeFile[] = [
      { path: 'a', content: 'text\n'.repeat(50) },
      { path: 'empty', content: '' },
      { path: 'dir/run', content: '#!/bin/sh\n', mode: '100755' },
      { path: 'dir/link', content: '../a', mode: '120000' },
      { path: 'module', content: '1'.repeat(40), mode: '160000' },
      { path: 'ä', content: 'x' },
      { path: 'big', content: Buffer.alloc(1_000_000, 'some bytes ') },
      // Compressed aside, with a small one between them.
      { path: 'c', content: Buffer.alloc(100_000, 'more bytes ') },
      { path: 'd', content: 'x' },
      { path: 'e', content: randomBytes(40_000) },
    ];
    commitFiles(git, { files });
    const options = { format: 'zip', prefix: 'p/' } as const;
    const zip = zipEntries(await archiveOf(await repositoryOf(git), options));
    expect(zip).toEqual(zipEntries(git.run(['archive', '--format=zip', '--prefix=p/', 'main'])));
    expect(zip).toHaveLength(13);
  });

  it('visits trees without files once, also if many paths have them', async () => {
    let tree = git.run(['hash-object', '-t', 'tree', '-w', '--stdin'], '').toString().trim();
    const made = (...entries: readonly string[]): string =>
      git
        .run(['mktree'], `${entries.join('\n')}\n`)
        .toString()
        .trim();
    for (let depth = 0; depth < 40; depth++) tree = made(`040000 tree ${tree}\ta`, `040000 tree ${tree}\tb`);
    const blob = git.run(['hash-object', '-w', '--stdin'], 'text\n').toString().trim();
    const attributes = git.run(['hash-object', '-w', '--stdin'], '/x/sub export-ignore\n').toString().trim();
    const folder = made(`040000 tree ${made(`100644 blob ${blob}\tfile`)}\tsub`);
    const root = made(
      `100644 blob ${attributes}\t.gitattributes`,
      `040000 tree ${tree}\tempty`,
      `040000 tree ${folder}\tx`,
      `040000 tree ${folder}\ty`,
    );
    const commit = git.run(['commit-tree', root, '-m', 'trees']).toString().trim();
    git.run(['update-ref', 'refs/heads/main', commit]);
    const entries = contentsOf(await archiveOf(await repositoryOf(git)));
    expect(entries.map((entry) => entry.split(' ')[1])).toEqual([
      'pax_global_header',
      '.gitattributes',
      'y/',
      'y/sub/',
      'y/sub/file',
    ]);
  });

  it('REPO-289: gzip changes nothing', async () => {
    commitFiles(git, { files: [{ path: 'a', content: Buffer.alloc(300_000, 'some bytes ') }] });
    const zipped = await archiveOf(await repositoryOf(git), { format: 'tar.gz' });
    expect(gunzipSync(zipped).equals(git.run(['archive', 'main']))).toBe(true);
  });
});

describe('an archive', () => {
  const formats = ['tar', 'tar.gz', 'zip'] as const;

  let repository: MaintainedRepository;
  let tree: string;
  beforeAll(async () => {
    const made = stockGit();
    // More than a stream buffers.
    const files = Array.from({ length: 10 }, (_, i) => ({ path: `f${i}`, content: randomBytes(60_000) }));
    commitFiles(made, { files: [...files, { path: 'big', content: randomBytes(600_000) }] });
    tree = made.run(['rev-parse', 'main^{tree}']).toString().trim();
    repository = await repositoryOf(made);
    made.remove();
  });
  afterEach(() => void vi.restoreAllMocks());

  function expectReleased(): void {
    const { engine, state } = repository;
    // The pages stay counted until their memory is needed.
    expect([0, 24 * 1024 * 1024]).toContain(engine.admission.reserved);
    expect(state.packs.some(({ id }) => engine.leases.has(id))).toBe(false);
  }

  it.each(formats)('REPO-291: releases everything when its reader leaves: %s', async (format) => {
    const archive = (await openArchive(repository)) as ArchiveContent;
    const body = archive.body(format, (error) => {
      throw error;
    });
    const reader = body.getReader();
    expect((await reader.read()).done).toBe(false);
    expect(repository.engine.leases.has(repository.state.packs[0]?.id as PackId)).toBe(true);
    await reader.cancel();
    expectReleased();
  });

  it.each(formats)('REPO-291: breaks off and tells why when the store fails: %s', async (format) => {
    const archive = (await openArchive(repository)) as ArchiveContent;
    const failures: unknown[] = [];
    const reader = archive.body(format, (error) => failures.push(error)).getReader();
    await reader.read();
    const broken = new Error('the store is broken');
    vi.spyOn(repository.engine.codec, 'crc32').mockImplementation(() => {
      throw broken;
    });
    vi.spyOn(repository.store, 'read').mockRejectedValue(broken);
    vi.spyOn(repository.store, 'stream').mockImplementation(() => {
      throw broken;
    });
    vi.spyOn(RepositoryView.prototype, 'read').mockImplementation(() => {
      throw broken;
    });
    const rest = async (): Promise<void> => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toBe(broken);
    expect(failures).toEqual([broken]);
    expectReleased();
  });

  it('REPO-288: is not there for other revisions and paths, and holds nothing then', async () => {
    for (const revision of ['none', tree, 'refs/hidden/x'])
      expect(await openArchive(repository, { revision })).toBe('ref');
    for (const path of ['none', 'f1/x', '../f1']) expect(await openArchive(repository, { path })).toBe('file');
    expectReleased();
    ((await openArchive(repository)) as ArchiveContent).release();
    expectReleased();
  });
});

/** Returns the entries of a zip archive, and the comment at its end. Checks the sums of the contents. */
function zipEntries(zip: Buffer): readonly unknown[] {
  const found: unknown[] = [];
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'));
  for (let at = zip.readUInt32LE(end + 16); zip.readUInt32LE(at) === 0x02014b50;) {
    const [nameLength, extraLength] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const stored = zip.subarray(start, start + zip.readUInt32LE(at + 20));
    const content = zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(stored) : stored;
    expect(crc32(content)).toBe(zip.readUInt32LE(at + 16));
    expect(content.length).toBe(zip.readUInt32LE(at + 24));
    found.push({
      name: zip.toString('utf8', at + 46, at + 46 + nameLength),
      creator: zip.readUInt16LE(at + 4),
      isUtf8: (zip.readUInt16LE(at + 8) & 0x800) !== 0,
      time: zip.toString('hex', at + 46 + nameLength, at + 46 + nameLength + extraLength),
      attributes: zip.readUInt32LE(at + 38),
      content: content.toString(),
    });
    at += 46 + nameLength + extraLength;
  }
  return [...found, zip.toString('latin1', end + 22)];
}
