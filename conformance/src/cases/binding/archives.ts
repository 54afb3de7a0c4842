/** `archive` of docs/specification/binding.md. */

import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { suite, type Suite } from '../../core/case.ts';
import { archivedCommit, archivedObjects } from '../../steps/archived.ts';
import { same } from '../../tools/same.ts';
import { assertRejected, boundRepoWith } from './rejections.ts';

export const archives: Suite = suite({
  id: 'binding/archives/streams',
  requirements: ['BIND-112', 'BIND-083'],
  level: 'MUST',
  beyond: true,
  needs: ['binding'],
  explanation: 'An archive is a stream with the bytes of REST; null if there is nothing to archive.',
  async run(t) {
    const { repo } = await boundRepoWith(t, t.binding(), { 'refs/heads/main': archivedCommit }, archivedObjects);
    const tar = await repo.archive('main', { format: 'tar' });
    assert.ok(tar !== null, 'expected a stream');
    same(Buffer.from(tar).toString('latin1', 257, 262), 'ustar', 'A tar archive.');
    assert.ok(Buffer.from(tar).includes(archivedCommit.oid), 'expected the id of the commit');
    const zipped = await repo.archive(archivedCommit.oid);
    assert.ok(zipped !== null && gunzipSync(zipped).equals(tar), 'expected the same archive, compressed');
    const zip = await repo.archive('main', { format: 'zip', path: 'dir', prefix: 'p/' });
    same(Buffer.from(zip ?? []).toString('latin1', 30, 32), 'p/', 'The first entry of a zip archive.');
    same(await repo.archive('none'), null, 'No such revision.');
    same(await repo.archive('main', { path: 'none' }), null, 'No such path.');
    await assertRejected(t, repo.archive(''), 'INVALID_INPUT', 'archive without a ref');
    for (const options of [{ format: 'rar' }, { format: 1 }, { path: null }, { prefix: '../' }]) {
      await assertRejected(t, repo.archive('main', options), 'INVALID_INPUT', `archive(${JSON.stringify(options)})`);
    }
  },
});
