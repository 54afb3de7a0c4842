/** REPO-287 to REPO-291 of docs/specification/repositories.md: archives, next to those of stock Git. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { suite, type Suite } from '../../core/case.ts';
import { pathOf, readBytes } from '../../steps/content.ts';
import { mirrored } from '../../steps/imports.ts';
import { repoWith } from '../../steps/repo-with.ts';
import { archivedCommit, archivedObjects } from '../../steps/archived.ts';
import { assertRefused, badField } from '../../steps/replies.ts';
import { same } from '../../tools/same.ts';
import { notFound } from './content/failures.ts';

export const archives: Suite = suite(
  {
    id: 'rest/archives/as-git-makes-them',
    requirements: ['REPO-062', 'REPO-287', 'REPO-288', 'REPO-289', 'REPO-290', 'REPO-291', 'REPO-150', 'REPO-152'],
    level: 'MUST',
    beyond: true,
    needs: ['git'],
    explanation:
      'An archive of a branch, a tag or a commit has the bytes of git archive, for the whole tree or a path.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/a/b': archivedCommit }, archivedObjects);
      const cwd = await mirrored(t, repo);
      const made = async (file: string, ...args: readonly string[]): Promise<Buffer> => {
        await t.git(['archive', `--output=${join(cwd, file)}`, ...args], { cwd });
        return readFile(join(cwd, file));
      };
      const id = archivedCommit.oid;
      const tar = await readBytes(t, repo, `/archive/${id}.tar`);
      same([tar.status, tar.headers.get('content-type')], [200, 'application/x-tar'], 'The reply.');
      assert.ok(tar.body.equals(await made('a.tar', id)), 'expected the bytes of git archive');
      same(tar.headers.get('content-disposition'), `attachment; filename="${repo.name}-${id}.tar"`, 'The file name.');
      same(tar.headers.get('x-content-type-options'), 'nosniff', 'Browsers do not guess.');
      same(tar.headers.get('content-security-policy'), "sandbox; default-src 'none'", 'Nothing in it acts.');
      same(tar.headers.get('content-length'), null, 'No length is promised.');

      const etag = tar.headers.get('etag') ?? '';
      same(etag, `W/"${id}"`, 'The entity tag.');
      const again = await readBytes(t, repo, `/archive/${id}.tar`, { headers: { 'if-none-match': etag } });
      same([again.status, again.body.length], [304, 0], 'A client that has it gets it no more.');
      const loud = { ...repo, name: repo.name.toUpperCase() };
      const head = await readBytes(t, loud, `/archive/${id}.tar`, { method: 'HEAD' });
      same([head.status, head.body.length], [200, 0], 'HEAD has no body.');
      const file = head.headers.get('content-disposition');
      same(file, tar.headers.get('content-disposition'), 'The name of the file is that of the repo as it is stored.');

      const part = await made('b.tar', '--prefix=p/', 'a/b', 'dir');
      for (const name of ['a%2Fb', 'a/b', 'refs/heads/a/b']) {
        const zipped = await readBytes(t, repo, `/archive/${name}.tar.gz?path=dir/&prefix=p/`);
        same([zipped.status, zipped.headers.get('content-type')], [200, 'application/gzip'], `The reply for ${name}.`);
        assert.ok(gunzipSync(zipped.body).equals(part), `expected the folder of ${name}`);
      }

      const zip = await readBytes(t, repo, '/archive/a%2Fb.zip');
      same([zip.status, zip.headers.get('content-type')], [200, 'application/zip'], 'The reply.');
      const fileName = `attachment; filename="${repo.name}-a-b.zip"`;
      same(zip.headers.get('content-disposition'), fileName, 'A file name without a slash.');
      const expected = await made('a.zip', 'a/b');
      same(namesOf(zip.body), namesOf(expected), 'The central directory of the zip archive.');
    },
  },
  {
    id: 'rest/archives/refused',
    requirements: ['REPO-288', 'REPO-036'],
    level: 'MUST',
    beyond: true,
    needs: [],
    explanation: 'Archives of what does not exist, other formats and prefixes that lead elsewhere are refused.',
    async run(t) {
      const repo = await repoWith(t, { 'refs/heads/main': archivedCommit }, archivedObjects);
      const of = (name: string): string => `${pathOf(repo)}/archive/${name}`;
      const format = badField('format', 'Invalid option: expected one of "tar.gz"|"tar"|"zip"');
      const prefix = badField('prefix', 'Invalid prefix: expected the start of a relative path, of at most 1024 bytes');
      for (const [name, failure] of [
        ['none.zip', notFound.ref],
        [`${archivedCommit.root}.tar`, notFound.ref],
        ['main.tar?path=none', notFound.file],
        ['main.tar?path=dir/../dir', notFound.file],
        ['main', format],
        ['main.rar', format],
        ['main.tar?prefix=/a', prefix],
        ['main.tar?prefix=a/../../', prefix],
        ['main.tar?prefix=a//b', prefix],
        ['main.tar?prefix=a%5Cb', prefix],
        ['main.tar?prefix=a%0Ab', prefix],
        [`main.tar?prefix=${'%C3%A9'.repeat(513)}`, prefix],
      ] as const) {
        await assertRefused(t, ['GET', of(name)], failure);
      }
    },
  },
);

/** Returns the entries of a zip archive's central directory, without sizes and offsets: names, checksums and attributes. */
function namesOf(zip: Buffer): readonly unknown[] {
  const found: unknown[] = [];
  for (let at = zip.readUInt32LE(zip.lastIndexOf('PK\x05\x06') + 16); zip.readUInt32LE(at) === 0x02014b50;) {
    const end = at + 46 + zip.readUInt16LE(at + 28);
    found.push([zip.toString('utf8', at + 46, end), zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 38)]);
    at = end + zip.readUInt16LE(at + 30);
  }
  return found;
}
