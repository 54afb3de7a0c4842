/** Pushed data survives a restart. The test restarts a process, and pushes the history of this project. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeSampleRepositories, type SampleRepository } from '@packhouse/fixtures';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contents, git } from '../support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let folder: string;
let samples: readonly SampleRepository[];

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
  const project = join(folder, 'project.git');
  await git(['clone', '--quiet', '--mirror', fileURLToPath(new URL('../../../..', import.meta.url)), project]);
  samples = [
    ...makeSampleRepositories(join(folder, 'samples')),
    { name: 'project', path: project, holds: 'the history of this project' },
  ];
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

it('GIT-155, GIT-175: every sample and this project’s own history come back byte for byte, also after a restart', async () => {
  for (const sample of samples) {
    const repo = await server.createRepo(sample.name);
    await git([...repo.auth, 'push', '--mirror', repo.remote], { cwd: sample.path });
    const expected = await contents(sample.path);
    for (const round of ['first', 'restarted']) {
      if (round === 'restarted') await server.restart();
      const clone = join(folder, `${sample.name}-${round}`);
      await git([...repo.auth, 'clone', '--mirror', repo.remote, clone]);
      expect(await contents(clone), sample.name).toEqual(expected);
      await git(['fsck', '--full', ...(sample.name === 'project' ? ['--strict'] : [])], { cwd: clone });
    }
  }
});
