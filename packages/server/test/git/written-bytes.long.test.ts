import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { blob, change, commit, pack, tree, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { push, set } from '@packhouse/conformance/tools/wire-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;

beforeEach(async () => {
  const rate = { requests: 1_000_000, seconds: 1 };
  server = await startTestServer({ settings: { rate_git: rate } });
});

afterEach(() => server.close());

const main = 'refs/heads/main';

/** A commit with a new file that does not compress well, and the objects of its push: about 1.5 KB. */
function smallCommit(number: number, parent: MadeObject): { readonly node: MadeObject; readonly pack: Buffer } {
  const digests = Array.from({ length: 36 }, (_, i) => createHash('sha256').update(`${number} ${i}`).digest('base64'));
  const file = blob(digests.join('\n'));
  const root = tree({ file });
  const node = commit(`Push ${number}`, root, [parent]);
  return { node, pack: pack(node, root, file) };
}

/** The frames of a write-ahead log that was never reset (https://www.sqlite.org/fileformat.html#walformat). */
function framesOf(path: string): { readonly pageBytes: number; readonly pages: number[] } {
  const log = readFileSync(path);
  const pageBytes = log.readUInt32BE(8);
  const pages: number[] = [];
  for (let at = 32; at < log.length; at += 24 + pageBytes) pages.push(log.readUInt32BE(at));
  return { pageBytes, pages };
}

describe('what a push writes', () => {
  it('GIT-193: the database writes less than 20 times the bytes of small pushes, checkpoints included', async () => {
    const repo = await server.createRepo('small');
    let parent: MadeObject = change('base');
    await push(repo, [set(main, parent)], pack(...change('base').all));
    const database = new DatabaseSync(join(server.data, 'packhouse.sqlite'));
    let sent = 0;
    try {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      // A reader keeps the log from being reset, so that it has every frame in the end.
      database.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
      for (let number = 0; number < 300; number++) {
        const { node, pack: bytes } = smallCommit(number, parent);
        expect(await push(repo, [set(main, node, parent)], bytes)).toEqual(['unpack ok', `ok ${main}`]);
        sent += bytes.length;
        parent = node;
      }
      expect(sent / 300).toBeGreaterThan(1_300);
      expect(sent / 300).toBeLessThan(1_700);
      const { pageBytes, pages } = framesOf(join(server.data, 'packhouse.sqlite-wal'));
      const logged = pages.length * (24 + pageBytes);
      const interval = 4_096_000 / pageBytes;
      let checkpointed = 0;
      for (let from = 0; from < pages.length; from += interval) {
        checkpointed += new Set(pages.slice(from, from + interval)).size * pageBytes;
      }
      expect((logged + checkpointed) / sent).toBeLessThan(20);
    } finally {
      database.close();
    }
  });
});
