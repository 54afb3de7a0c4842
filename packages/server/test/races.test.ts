import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git, gitBytes } from './support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from './support/test-server.ts';
import { post, pushBody, reportOf } from '@packhouse/conformance/tools/wire-client';

const racers = 100;
const rounds = 3;
const none = '0'.repeat(40);

let server: TestServer;
let folder: string;
let work: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
  work = join(folder, 'work.git');
  await git(['init', '--quiet', '--bare', work]);
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

const messages = (of: string): string[] => Array.from({ length: racers }, (_, i) => `${of}, racer ${i}`);

/** Commits with one file each, all children of `parent`. */
async function commits(messages: readonly string[], parent?: string): Promise<string[]> {
  const stream = messages.map((message, i) => {
    const from = parent === undefined ? '' : `from ${parent}\n`;
    const head = `commit refs/heads/made\nmark :${i + 1}\ncommitter Ada <ada@example.com> 1700000000 +0000\n`;
    const text = `data ${Buffer.byteLength(message)}\n${message}\n`;
    return `reset refs/heads/made\n${head}${text}${from}M 100644 inline file\n${text}\n`;
  });
  const marks = join(folder, 'marks');
  await git(['fast-import', '--quiet', '--force', `--export-marks=${marks}`], { cwd: work, input: stream.join('') });
  const ids = new Map(
    readFileSync(marks, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  );
  return messages.map((_, i) => ids.get(`:${i + 1}`) as string);
}

/** What the values reach and `base` does not. */
function pack(values: readonly string[], base?: string): Promise<Buffer> {
  const revisions = [...values, ...(base === undefined ? [] : [`^${base}`])].join('\n');
  return gitBytes(['pack-objects', '--revs', '--stdout', '--quiet'], { cwd: work, input: revisions });
}

async function pushOne(repo: TestRepo, old: string, value: string, ref: string, bytes: Buffer): Promise<string[]> {
  const reply = await post(repo, pushBody([{ old, new: value, ref }], bytes), {
    service: 'git-receive-pack',
    version: 0,
  });
  expect(reply.status).toBe(200);
  return reportOf(reply.body);
}

async function pushBase(repo: TestRepo): Promise<string> {
  const [base] = (await commits(['base'])) as [string];
  const report = await pushOne(repo, none, base, 'refs/heads/main', await pack([base]));
  expect(report).toEqual(['unpack ok', 'ok refs/heads/main']);
  return base;
}

describe('pushes at the same time', () => {
  it(`GIT-157: of ${racers} that race for one ref from the same value exactly one wins, in each of ${rounds} rounds`, async () => {
    const repo = await server.createRepo('one-ref');
    let base = await pushBase(repo);
    for (let round = 0; round < rounds; round++) {
      const values = await commits(messages(`round ${round}`), base);
      const bytes = await pack(values, base);
      const reports = await Promise.all(values.map((value) => pushOne(repo, base, value, 'refs/heads/main', bytes)));
      const winners = values.filter((_, i) => reports[i]?.[1] === 'ok refs/heads/main');
      expect(winners).toHaveLength(1);
      expect(reports.filter((report) => report[1] === 'ng refs/heads/main stale ref')).toHaveLength(racers - 1);
      expect(reports.every(([unpack]) => unpack === 'unpack ok')).toBe(true);
      base = winners[0] as string;
      expect(await git([...repo.auth, 'ls-remote', repo.remote, 'refs/heads/main'])).toBe(`${base}\trefs/heads/main\n`);
    }
  });

  it(`GIT-157, GIT-150: ${racers} that race for different refs all win, and everything can be cloned`, async () => {
    const repo = await server.createRepo('many-refs');
    const base = await pushBase(repo);
    const values = await commits(messages('branch'), base);
    const bytes = await pack(values, base);
    const reports = await Promise.all(values.map((value, i) => pushOne(repo, none, value, `refs/heads/b${i}`, bytes)));
    expect(reports).toEqual(values.map((_, i) => ['unpack ok', `ok refs/heads/b${i}`]));
    const clone = join(folder, 'clone.git');
    await git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
    await git(['fsck', '--full', '--strict'], { cwd: clone });
    const refs = (await git(['for-each-ref', '--format=%(objectname)', 'refs/heads/b*'], { cwd: clone }))
      .trim()
      .split('\n');
    expect(refs.sort()).toEqual([...values].sort());
  });
});
