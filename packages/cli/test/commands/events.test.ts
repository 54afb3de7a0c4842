import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostedRepoState } from '@packhouse/hosting';
import { nodeStorage, type NodeStorage } from '@packhouse/storage/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ran } from './in-process.ts';
import { run } from '../../src/run.ts';

const start = Date.UTC(2026, 10, 21, 12);
const repos = ['a', 'b'].map((name) => ({ id: name.repeat(16), name }));

let root: string;
let data: string;
let storage: NodeStorage;

/** A folder that a server holds: its database is open, and the server writes to it. */
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'packhouse-events-'));
  data = join(root, 'data');
  mkdirSync(data);
  storage = nodeStorage({ dataDir: data });
  for (const { id, name } of repos) {
    const head = { account: 'local', id, namespace: 'Default', name, defaultBranch: 'main', readOnly: false };
    const token = { secretHash: id, scope: 'write', createdAt: 0, expiresAt: 1, revokedAt: null } as const;
    await stateOf(name).begin({ ...head, status: 'creating' }, { id, ...token }, [event(name, 'created', 0)]);
  }
});

afterEach(() => {
  storage.close();
  rmSync(root, { recursive: true, force: true });
});

function stateOf(name: string): HostedRepoState {
  return storage.repos.repo('local', name.repeat(16), 'unrestricted').state;
}

let count = 0;

function event(repo: string, name: string, minute: number, payload: Record<string, unknown> = {}) {
  const at = start + minute * 60_000;
  const body = {
    type: `repos.repo.${name}`,
    source: { type: 'repos', namespace: 'Default', repoName: repo },
    payload,
    metadata: { accountId: 'local', eventSchemaVersion: 1, eventTimestamp: new Date(at).toISOString() },
  };
  return { id: String(++count).padStart(16, '0'), at, body: JSON.stringify(body) };
}

const tail = (...options: readonly string[]) => ran(['events', 'tail', '--data', data, ...options]);

async function publish(name: string): Promise<void> {
  await stateOf(name).setStatus('ready');
  await stateOf(name).releaseEvents();
}

describe('events tail', () => {
  it('prints waiting and kept events, one per line, and none of unpublished changes', async () => {
    await publish('a');
    const [before, after] = ['0'.repeat(40), 'ab'.repeat(20)];
    const push = { ref: 'refs/heads/main', before, after, commits: [], totalCommitsCount: 2, commitsTruncated: false };
    await stateOf('a').record(event('a', 'pushed', 1, push));
    const { events } = await stateOf('a').pendingEvents(1);
    await stateOf('a').delivered([events[0]?.id ?? ''], Date.now() + 1e6);
    const { code, out, err } = await tail();
    expect(out.split('\n')).toEqual([
      '2026-11-21T12:00:00.000Z  repos.repo.created  Default/a',
      '2026-11-21T12:01:00.000Z  repos.repo.pushed  Default/a  refs/heads/main  0000000..abababa  2 commits  (waiting)',
      '',
    ]);
    expect([code, err]).toEqual([0, '']);
    const lines = (await tail('--json')).out.split('\n').slice(0, -1);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { state: 'delivered', event: { type: 'repos.repo.created', source: { repoName: 'a' } } },
      { state: 'waiting', event: { payload: push } },
    ]);
  });

  it('names the setting to change if no events are kept', async () => {
    const { code, out, err } = await tail();
    expect([code, out]).toEqual([0, '']);
    expect(err).toContain('"events_kept"');
  });

  it('shows the events of one repo, and those since a time', async () => {
    await publish('a');
    await publish('b');
    await stateOf('b').record(event('b', 'cloned', 10));
    const types = async (...options: readonly string[]): Promise<string[]> =>
      [...(await tail(...options)).out.matchAll(/repo\.(\w+) {2}Default\/(\w)/g)].map(
        ([, type, repo]) => `${type} ${repo}`,
      );
    expect(await types()).toEqual(['created a', 'created b', 'cloned b']);
    expect(await types('--repo', 'default/B')).toEqual(['created b', 'cloned b']);
    expect(await types('--since', '2026-11-21T12:05:00Z')).toEqual(['cloned b']);
    expect((await tail('--repo', 'b')).code).toBe(2);
    for (const since of ['yesterday', '10', '2026-99-99', '5x']) expect((await tail('--since', since)).code).toBe(2);
  });

  it('follows new events, also ones published late, until a signal', async () => {
    await publish('b');
    const lines: string[] = [];
    let signal: () => void = () => {};
    const following = run(['events', 'tail', '--data', data, '-f'], {
      out: (text) => void lines.push(text),
      outBytes: async () => {},
      err: () => {},
      outIsTerminal: false,
      errIsTerminal: false,
      env: {},
      cwd: root,
      program: 'packhouse',
      fetch,
      onSignal(listener) {
        signal = listener;
        return () => {};
      },
    });
    const seen = async (many: number): Promise<string[]> => {
      await expect.poll(() => lines.length, { interval: 20, timeout: 5_000 }).toBe(many);
      return lines.map((line) => line.split('  ').slice(1, 3).join(' '));
    };
    expect(await seen(1)).toEqual(['repos.repo.created Default/b']);
    await publish('a');
    expect((await seen(2)).at(-1)).toBe('repos.repo.created Default/a');
    for (let i = 0; i < 120; i++) await stateOf('a').record(event('a', 'fetched', i));
    await seen(122);
    signal();
    expect(await following).toBe(0);
  });

  it('says what is wrong with a folder of another kind', async () => {
    const none = await ran(['events', 'tail', '--data', join(root, 'none')]);
    expect([none.code, none.err.includes('does not exist')]).toEqual([6, true]);
    mkdirSync(join(root, 'empty'));
    expect((await ran(['events', 'tail', '--data', join(root, 'empty')])).code).toBe(6);
  });
});
