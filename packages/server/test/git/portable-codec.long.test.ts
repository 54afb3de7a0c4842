/**
 * The service with the codec of browsers, over storage in memory, for stock Git: it needs a server that Git reaches.
 */

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeSampleRepositories, type SampleRepository } from '@packhouse/fixtures';
import { createGitEngine, maintainRepository, verifyRepository } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { portableCodec } from '@packhouse/git/codec-portable';
import { createHosting, neutral, type HostedRepo } from '@packhouse/hosting';
import { createService, gitFace } from '@packhouse/router';
import { memoryCatalogs, memoryRepos } from '@packhouse/storage';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createListener } from '../../src/node-http/listener.ts';
import { contents, git } from '../support/git.ts';
import { makeFolder, removeFolder } from '../support/test-server.ts';

const engine = createGitEngine({ codec: portableCodec() });
const http = createServer();
const failures: unknown[] = [];
/** Every repository that was opened, by id. */
const repos = new Map<string, HostedRepo>();
let origin: string;
let folder: string;
let samples: readonly SampleRepository[];

beforeAll(async () => {
  folder = makeFolder();
  const project = join(folder, 'project.git');
  await git(['clone', '--quiet', '--mirror', fileURLToPath(new URL('../../../..', import.meta.url)), project]);
  samples = [
    ...makeSampleRepositories(join(folder, 'samples')),
    { name: 'project', path: project, holds: 'the history of this project' },
  ];
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const storage = memoryRepos();
  const report = (error: unknown): number => failures.push(error);
  const hosting = createHosting({
    engine,
    dialect: neutral,
    catalog: memoryCatalogs(),
    storage: {
      repo(account, id, jurisdiction) {
        const repo = storage.repo(account, id, jurisdiction);
        repos.set(id, repo);
        return repo;
      },
      sharePacks: storage.sharePacks,
    },
    authorizer: { authorize: async () => [{ account: 'local', permission: neutral.permissions.edit }] },
    settings: { public_url: origin },
    report,
  });
  const service = createService({ hosting, git: gitFace({ hosting, engine, report }) });
  const listener = createListener({ handler: service, fallbackHost: '127.0.0.1' });
  http.on('request', (incoming, outgoing) => listener.serve(incoming, outgoing));
});

afterAll(() => {
  http.closeAllConnections();
  http.close();
  removeFolder(folder);
  expect(failures).toEqual([]);
});

interface Created {
  readonly id: string;
  readonly remote: string;
  readonly auth: readonly string[];
}

async function create(name: string): Promise<Created> {
  const response = await fetch(`${origin}/v4/accounts/local/repos/namespaces/default/repos`, {
    method: 'POST',
    headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  expect(response.status).toBe(201);
  const { result } = (await response.json()) as { result: { id: string; remote: string; token: string } };
  return { ...result, auth: ['-c', `http.extraHeader=Authorization: Bearer ${result.token}`] };
}

/** Returns the problems that the other codec finds in the stored data. */
async function problems(id: string): Promise<readonly unknown[]> {
  const repo = repos.get(id) as HostedRepo;
  const snapshot = await repo.state.snapshot();
  if (snapshot === undefined) throw new Error('The repository is gone.');
  return verifyRepository(createGitEngine({ codec: nodeCodec() }), repo, snapshot);
}

async function mergePacks(id: string): Promise<void> {
  await maintainRepository(engine, repos.get(id) as HostedRepo, {
    now: Date.now() + 1_000_000_000,
    grace: 0,
    retireGrace: 0,
    mode: 'full',
    mergeMax: 1_000_000_000,
    rowsMax: 1_000_000,
    inUse: () => false,
    newId: () => crypto.randomUUID(),
  });
}

it('GIT-155: with the portable codec, every sample and this project’s history come back, also from merged packs', async () => {
  for (const sample of samples) {
    const { id, remote, auth } = await create(sample.name);
    await git([...auth, 'push', '--mirror', remote], { cwd: sample.path });
    expect(await problems(id), sample.name).toEqual([]);
    const expected = await contents(sample.path);
    for (const round of ['pushed', 'merged']) {
      if (round === 'merged') await mergePacks(id);
      const clone = join(folder, `${sample.name}-${round}`);
      await git([...auth, 'clone', '--mirror', remote, clone]);
      expect(await contents(clone), sample.name).toEqual(expected);
      await git(['fsck', '--full', ...(sample.name === 'project' ? ['--strict'] : [])], { cwd: clone });
    }
    expect(await problems(id), sample.name).toEqual([]);
  }
});

it('with the portable codec, thin pushes, fetches, shallow and partial clones are whole', async () => {
  const { id, remote, auth } = await create('worked-on');
  const work = join(folder, 'work');
  const reader = join(folder, 'reader');
  await git(['init', '--quiet', '--initial-branch=main', work]);
  const lines = Array.from({ length: 3000 }, (_, i) => `line ${i} of ${(i * 7919) % 1000}`);
  for (let round = 0; round < 6; round++) {
    lines[round * 100] = `changed in round ${round}`;
    writeFileSync(join(work, 'file.txt'), lines.join('\n'));
    writeFileSync(join(work, `new-${round}.txt`), `${round}\n`);
    await git(['add', '.'], { cwd: work });
    await git(['commit', '--quiet', '-m', `round ${round}`], { cwd: work });
    // Thin: the pack has a delta of the file whose base the server alone completes.
    await git([...auth, 'push', '--quiet', '--thin', remote, 'main'], { cwd: work });
    if (round === 0) await git([...auth, 'clone', '--quiet', remote, reader]);
    else await git([...auth, 'fetch', '--quiet', remote, 'main:refs/remotes/origin/main'], { cwd: reader });
    await git(['fsck', '--full', '--strict'], { cwd: reader });
    const [sent, got] = await Promise.all([
      git(['rev-parse', 'main'], { cwd: work }),
      git(['rev-parse', 'origin/main'], { cwd: reader }),
    ]);
    expect(got).toBe(sent);
    expect(await problems(id)).toEqual([]);
  }
  for (const [name, option] of [
    ['shallow', '--depth=2'],
    ['partial', '--filter=blob:none'],
  ] as const) {
    const clone = join(folder, name);
    await git([...auth, 'clone', '--quiet', option, remote, clone]);
    await git(['fsck', '--full'], { cwd: clone });
    expect(await git(['show', 'HEAD:file.txt'], { cwd: clone })).toBe(lines.join('\n'));
  }
});
