/** GIT-177 of docs/specification/git.md: versions of HTTP. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { change } from '../../../tools/made-objects.ts';
import { getOverHttp10, postParts } from '../../../steps/raw-request.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { commandBody, credentialOf, discover, linesOf, withoutVersions } from '../../../tools/wire-client.ts';

const first = change('first');

function plainRepo(t: Context): Promise<TestRepo> {
  return repoWith(t, { 'refs/heads/main': first }, first.all);
}

export const gitHttpVersions: Suite = suite(
  {
    id: 'git/http/http-1-1',
    requirements: ['GIT-177'],
    level: 'MUST',
    needs: ['origin'],
    explanation: 'HTTP/1.1 works.',
    async run(t) {
      const repo = await plainRepo(t);
      if (repo.isOld === true) t.unsupported(withoutVersions);
      const headers = {
        ...credentialOf(repo),
        'content-type': 'application/x-git-upload-pack-request',
        'git-protocol': 'version=2',
      };
      const reply = await postParts(`${repo.remote}/git-upload-pack`, headers, [commandBody('ls-refs')]);
      same([reply.httpVersion, reply.status], ['1.1', 200], 'The reply is one of HTTP/1.1.');
      assert.ok(linesOf(reply.body).includes(`${first.oid} refs/heads/main`), 'The branch is listed.');
    },
  },
  {
    id: 'git/http/http-1-0',
    requirements: ['GIT-177'],
    level: 'MUST',
    needs: ['origin'],
    explanation: 'Where the runtime offers HTTP/1.0, a reply to it is complete and ends with the connection.',
    async run(t) {
      const repo = await plainRepo(t);
      const url = `${repo.remote}/info/refs?service=git-upload-pack`;
      const { head, body } = await getOverHttp10(url, { ...credentialOf(repo) });
      const line = head.split('\r\n')[0] ?? '';
      if (/^HTTP\/1\.[01] (426|505) /.test(line) || line === '') t.unsupported(`HTTP/1.0 is answered "${line}"`);
      assert.match(line, /^HTTP\/1\.[01] 200 /, 'The request succeeds.');
      assert.doesNotMatch(head, /transfer-encoding/i, 'A client of HTTP/1.0 knows no chunks.');
      const lines = (from: readonly string[]): string[] => from.map((packet) => packet.split('\0')[0] ?? '');
      same(lines(linesOf(body)), lines((await discover(repo)).lines), 'The reply is the one of HTTP/1.1.');
    },
  },
);
