/** Section 3 of docs/specification/git.md: versions and advertisement. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git } from '../support/git.ts';
import { blob, change, commit, pack, tag, tree } from '@packhouse/conformance/tools/made-objects';
import { startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';
import {
  commandBody,
  discover,
  fetchBody,
  linesOf,
  post,
  push,
  pushBody,
  reportOf,
  set,
  uploadBody,
} from '@packhouse/conformance/tools/wire-client';

const first = change('first');
const second = change('second', first);
const inner = tag('inner', first);
const outer = tag('outer', inner);
const treeTag = tag('tree', first.root);
const lone = blob('lone\n');

const refs = {
  'refs/heads/Main': second,
  'refs/heads/main': first,
  'refs/heads/main-2': second,
  'refs/heads/main/2': first,
  'refs/heads/ä': first,
  'refs/notes/commits': second,
  'refs/other/blob': lone,
  'refs/tags/inner': inner,
  'refs/tags/light': first,
  'refs/tags/outer': outer,
  'refs/tags/tree': treeTag,
};

let server: TestServer;
let repo: TestRepo;
let empty: TestRepo;

beforeAll(async () => {
  server = await startTestServer();
  repo = await server.createRepo('full', { default_branch: 'Main' });
  empty = await server.createRepo('empty', { default_branch: 'trunk' });
  const { 'refs/heads/main/2': _, ...pushed } = refs;
  const report = await push(
    repo,
    Object.entries(pushed).map(([ref, value]) => set(ref, value)),
    pack(...first.all, ...second.all, inner, outer, treeTag, lone),
  );
  expect(report).toEqual(['unpack ok', ...Object.keys(pushed).map((ref) => `ok ${ref}`)]);
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

const peeled: Record<string, string> = {
  'refs/tags/inner': first.oid,
  'refs/tags/outer': first.oid,
  'refs/tags/tree': first.root.oid,
};

/** The refs as they must be listed: sorted by their bytes. */
function listed(withPeeled: boolean): string[] {
  const names = Object.keys(refs).filter((name) => name !== 'refs/heads/main/2');
  names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return names.flatMap((name) => {
    const shown = Buffer.from(name).toString('latin1');
    const line = `${refs[name as keyof typeof refs].oid} ${shown}`;
    return withPeeled && peeled[name] !== undefined ? [line, `${peeled[name]} ${shown}^{}`] : [line];
  });
}

/** Capabilities of the line that has them, without what is fresh in each reply. */
function capabilities(line: string | undefined): string[] {
  const words = (line ?? '').split('\0')[1]?.split(' ') ?? [];
  return words.map((word) => word.replace(/^(agent|session-id)=.*/, '$1')).sort();
}

const uploadCapabilities = [
  'agent',
  'allow-reachable-sha1-in-want',
  'allow-tip-sha1-in-want',
  'include-tag',
  'multi_ack',
  'multi_ack_detailed',
  'no-done',
  'no-progress',
  'object-format=sha1',
  'ofs-delta',
  'session-id',
  'side-band',
  'side-band-64k',
  'thin-pack',
];

const receiveCapabilities = [
  'agent',
  'atomic',
  'delete-refs',
  'object-format=sha1',
  'ofs-delta',
  'push-options',
  'quiet',
  'report-status',
  'report-status-v2',
  'session-id',
  'side-band-64k',
];

describe('which version is spoken', () => {
  it.each([
    ['', 0],
    ['version=0', 0],
    ['version=1', 1],
    ['version=2', 2],
    ['version=1:version=2', 2],
    ['version=2:version=1', 2],
    ['version=0:version=1', 1],
    ['version=3', 0],
    ['version=3:version=1', 1],
    ['version=22', 0],
    ['key=value:version=2:other', 2],
    ['VERSION=2', 0],
  ])('GIT-040, GIT-041: Git-Protocol %j is version %i', async (header, version) => {
    const { lines } = await discover(repo, { headers: { 'git-protocol': header } });
    expect(lines.slice(0, 2)).toEqual(['# service=git-upload-pack', 'flush']);
    const found = lines[2] === 'version 1' ? 1 : lines[2] === 'version 2' ? 2 : 0;
    expect(found).toBe(version);
  });

  it('GIT-040: the header decides for POST, too', async () => {
    const body = commandBody('ls-refs');
    expect(linesOf((await post(repo, body, { version: 2 })).body)).toHaveLength(listed(false).length + 2);
    const reply = await fetch(`${repo.remote}/git-upload-pack`, {
      method: 'POST',
      headers: { authorization: `Bearer ${repo.token}`, 'content-type': 'application/x-git-upload-pack-request' },
      body: body.toString(),
    });
    expect(reply.status).toBe(400);
  });

  it('GIT-042: receive-pack knows versions 0 and 1, and answers 2 as 0', async () => {
    const at = async (version: 0 | 1 | 2): Promise<string[]> =>
      (await discover(repo, { service: 'git-receive-pack', version })).lines.map((line) =>
        line.replace(/session-id=\S+/, ''),
      );
    const plain = await at(0);
    expect(plain.slice(0, 2)).toEqual(['# service=git-receive-pack', 'flush']);
    expect(await at(2)).toEqual(plain);
    expect(await at(1)).toEqual([...plain.slice(0, 2), 'version 1', ...plain.slice(2)]);
  });
});

describe('what is advertised', () => {
  it('GIT-043, GIT-044: upload-pack in version 0 and 1 lists HEAD, then the refs by their bytes, tags peeled to the end', async () => {
    for (const version of [0, 1] as const) {
      const { lines } = await discover(repo, { version });
      const [head, ...others] = lines.slice(version === 1 ? 3 : 2, -1);
      expect(head?.split('\0')[0]).toBe(`${second.oid} HEAD`);
      expect(capabilities(head)).toEqual([...uploadCapabilities, 'symref=HEAD:refs/heads/Main'].sort());
      expect(others).toEqual(listed(true));
      expect(lines.at(-1)).toBe('flush');
    }
  });

  it('GIT-045: receive-pack lists the refs alone, without HEAD or what tags peel to', async () => {
    const { lines } = await discover(repo, { service: 'git-receive-pack' });
    const shown = lines.slice(2, -1);
    expect(shown.map((line) => line.split('\0')[0])).toEqual(listed(false));
    expect(capabilities(shown[0])).toEqual(receiveCapabilities);
    expect(shown.slice(1).some((line) => line.includes('\0'))).toBe(false);
    expect(lines.at(-1)).toBe('flush');
  });

  it('GIT-046, GIT-160: an empty repo advertises its capabilities on one line, in both services', async () => {
    const line = (found: { lines: string[] }, from = 2): string[] => found.lines.slice(from);
    for (const version of [0, 1] as const) {
      const from = version === 1 ? 3 : 2;
      const upload = line(await discover(empty, { version }), from);
      expect(upload).toEqual([expect.stringMatching(/^0{40} capabilities\^\{\}\0/), 'flush']);
      expect(capabilities(upload[0])).toEqual(uploadCapabilities);
      const receive = line(await discover(empty, { service: 'git-receive-pack', version }), from);
      expect(receive).toEqual([expect.stringMatching(/^0{40} capabilities\^\{\}\0/), 'flush']);
      expect(capabilities(receive[0])).toEqual(receiveCapabilities);
    }
  });

  it('GIT-047, GIT-048: version 2 tells what can be asked, and no more than that', async () => {
    for (const one of [repo, empty]) {
      const { lines } = await discover(one, { version: 2 });
      expect(lines.slice(2).map((line) => line.replace(/^(agent|session-id)=.*/, '$1'))).toEqual([
        'version 2',
        'agent',
        'ls-refs=unborn',
        'fetch',
        'object-format=sha1',
        'session-id',
        'flush',
      ]);
    }
  });

  it('GIT-049: the agent is the dialect’s, the session id fresh in each reply, and those of clients change nothing', async () => {
    const values = async (version: 0 | 2): Promise<{ agent: string; session: string }> => {
      const text = (await discover(repo, { version })).body.toString('latin1');
      return {
        agent: /agent=([!-~]+)/.exec(text)?.[1] ?? '',
        session: /session-id=([!-~]{1,64})(?![!-~])/.exec(text)?.[1] ?? '',
      };
    };
    const found = [await values(0), await values(0), await values(2), await values(2)];
    for (const { agent } of found) expect(agent).toMatch(/^packhouse\/\d+\.\d+\.\d+$/);
    const sessions = new Set(found.map(({ session }) => session));
    expect(sessions.size).toBe(4);
    expect(sessions).not.toContain('');
    const own = ['agent=git/1.5 (x)', `session-id=${'s'.repeat(500)}`];
    expect((await post(repo, commandBody('ls-refs', [], own))).body).toEqual(
      (await post(repo, commandBody('ls-refs'))).body,
    );
  });
});

describe('what was not advertised', () => {
  it('GIT-048: version 2 refuses an unknown capability by its name', async () => {
    for (const word of ['server-option=x', 'session', 'filter']) {
      const { body } = await post(repo, commandBody('ls-refs', [], [word]));
      expect(linesOf(body)).toEqual([`ERR unknown capability '${word.split('=')[0]}'`]);
    }
  });

  it('GIT-048: version 0 and 1 ignore one, and so does receive-pack', async () => {
    const words = 'ofs-delta none-such allow-any-sha1-in-want x=y';
    const plain = await post(repo, uploadBody([first.oid], [], 'ofs-delta'), { version: 0 });
    expect(plain.body.subarray(0, 12).toString()).toBe('0008NAK\nPACK');
    for (const version of [0, 1] as const) {
      expect((await post(repo, uploadBody([first.oid], [], words), { version })).body).toEqual(plain.body);
    }
    expect(await push(repo, [set('refs/heads/ignored', first)], pack(), 'none-such x=y no-thin')).toEqual([
      'unpack ok',
      'ok refs/heads/ignored',
    ]);
    expect(await push(repo, [{ ...set('refs/heads/ignored', first), old: first.oid, new: '0'.repeat(40) }])).toEqual([
      'unpack ok',
      'ok refs/heads/ignored',
    ]);
  });

  it('GIT-048: a push certificate is refused', async () => {
    const line = (text: string): Buffer =>
      Buffer.from((Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text);
    const body = Buffer.concat([
      line('push-cert\0report-status side-band-64k\n'),
      ...[
        'certificate version 0.1\n',
        'pusher ada\n',
        'nonce x\n',
        '\n',
        `${'0'.repeat(40)} ${first.oid} refs/heads/signed\n`,
      ].map(line),
      ...['-----BEGIN PGP SIGNATURE-----\n', 'x\n', '-----END PGP SIGNATURE-----\n', 'push-cert-end\n'].map(line),
      Buffer.from('0000'),
      pack(),
    ]);
    const reply = await post(repo, body, { service: 'git-receive-pack', version: 0 });
    expect(reportOf(reply.body)).toEqual([
      'unpack push certificates are not supported',
      'ng refs/heads/signed unpacker error',
    ]);
  });

  it('GIT-050, GIT-163: a client of another object format is refused by its name, in every service and version', async () => {
    const long = '1'.repeat(64);
    const refusal = (name: string): string[] => [`ERR unsupported object format '${name}'`];
    for (const name of ['sha256', 'md5']) {
      expect(linesOf((await post(repo, commandBody('ls-refs', [], [`object-format=${name}`]))).body)).toEqual(
        refusal(name),
      );
      for (const version of [0, 1] as const) {
        expect(
          linesOf((await post(repo, uploadBody([first.oid], [], `object-format=${name}`), { version })).body),
        ).toEqual(refusal(name));
      }
    }
    expect(linesOf((await post(repo, fetchBody([long], []))).body)).toEqual(refusal('sha256'));
    expect(linesOf((await post(repo, fetchBody([first.oid], [long]))).body)).toEqual(refusal('sha256'));
    for (const body of [uploadBody([long], [], ''), uploadBody([first.oid], [long], '')]) {
      expect(linesOf((await post(repo, body, { version: 0 })).body)).toEqual(refusal('sha256'));
    }
    const command = { old: '0'.repeat(64), new: long, ref: 'refs/heads/long' };
    const reply = await post(repo, pushBody([command], pack(), 'report-status side-band-64k'), {
      service: 'git-receive-pack',
      version: 0,
    });
    expect(reportOf(reply.body)).toEqual([
      "unpack unsupported object format 'sha256'",
      'ng refs/heads/long unpacker error',
    ]);
  });
});

it('GIT-043, GIT-091: stock git lists the same in every version', async () => {
  for (const version of ['0', '1', '2']) {
    const out = await git(['-c', `protocol.version=${version}`, ...repo.auth, 'ls-remote', '--symref', repo.remote]);
    const [symref, head, ...others] = out.trimEnd().split('\n');
    expect([symref, head]).toEqual(['ref: refs/heads/Main\tHEAD', `${second.oid}\tHEAD`]);
    expect(others).toEqual(listed(true).map((line) => Buffer.from(line.replace(' ', '\t'), 'latin1').toString()));
    expect(await git(['-c', `protocol.version=${version}`, ...empty.auth, 'ls-remote', empty.remote])).toBe('');
  }
});

it('GIT-043: a commit without files is listed and fetched like any other', async () => {
  const bare = await server.createRepo('bare');
  const root = tree({});
  const node = commit('nothing', root);
  expect(await push(bare, [set('refs/heads/main', node)], pack(node, root))).toEqual([
    'unpack ok',
    'ok refs/heads/main',
  ]);
  expect(await git([...bare.auth, 'ls-remote', bare.remote, 'HEAD'])).toBe(`${node.oid}\tHEAD\n`);
});
