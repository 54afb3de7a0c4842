import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { git, tryGit } from './support/git.ts';
import { largeRepository } from './support/large-repository.ts';
import { peakMax, startWatchedService, type WatchedService } from './support/watched-service.ts';

/** A bare repository to push whole, such as a clone of git/git, which takes an hour. Default: a small one. */
const given = process.env['PACKHOUSE_PIECES_OF'];
/** First parents in one push. */
const step = given === undefined ? 250 : 1_100;
const refspecs = ['refs/heads/*:refs/heads/*', 'refs/tags/*:refs/tags/*'];

let watched: WatchedService;
let source: string;
let copy: string;

beforeAll(async () => {
  source = given ?? (await largeRepository(1_500));
  copy = await mkdtemp(join(tmpdir(), 'packhouse-pieces-'));
  watched = await startWatchedService({ prepared_max: 0 });
}, 180_000);

afterAll(async () => {
  await watched.close();
  await rm(copy, { recursive: true, force: true });
  if (given === undefined) await rm(source, { recursive: true, force: true });
});

/** Says what a long run is doing. */
function note(text: string): void {
  if (given !== undefined) process.stderr.write(`${text}\n`);
}

it(
  'GIT-190, GIT-191: a repository that arrives in pieces is maintained, and cloned whole',
  { timeout: 4 * 3_600_000 },
  async () => {
    const { service, memory } = watched;
    const { remote } = await service.createRepo('pieces');
    const branch = (await git(['symbolic-ref', '--short', 'HEAD'], source)).trim();
    const commits = (await git(['rev-list', '--first-parent', '--reverse', 'HEAD'], source)).trim().split('\n');
    const pieces = commits.filter((_, i) => (i + 1) % step === 0);
    const quick = ['-c', 'pack.threads=1', 'push', '-q', remote];
    let peakMost = 0;
    for (const [i, piece] of pieces.entries()) {
      expect(await tryGit([...quick, `${piece}:refs/heads/${branch}`], source)).toMatchObject({ status: 0 });
      const peak = memory.takePeak();
      peakMost = Math.max(peakMost, peak);
      note(`piece ${i + 1} of ${pieces.length}: peak ${Math.round(peak / 1e6)} MB`);
    }
    expect(await tryGit([...quick, ...refspecs], source)).toMatchObject({ status: 0 });
    await maintained();
    peakMost = Math.max(peakMost, memory.takePeak());
    await git(['clone', '-q', '--mirror', remote, copy]);
    peakMost = Math.max(peakMost, memory.takePeak());
    note(`peak ${Math.round(peakMost / 1e6)} MB`);
    expect(await tryGit(['fsck', '--strict'], copy)).toMatchObject({ status: 0 });
    const refs = ['for-each-ref', 'refs/heads', 'refs/tags'];
    expect(await git(refs, copy)).toBe(await git(refs, source));
    expect(service.lines.filter((line) => line['level'] === 'error')).toEqual([]);
    // With more objects, it depends on when the collector runs.
    if (given === undefined) expect(peakMost).toBeLessThan(peakMax);
  },
);

/** Resolves after an alarm that was begun after the last push has maintained the repository. */
async function maintained(): Promise<void> {
  const { lines } = watched.service;
  const isDone = (): boolean =>
    lines.slice(from).some((line) => line['event'] === 'alarm' && String(line['steps']).includes('maintain'));
  const from = lines.length;
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 100));
  for (const line of lines) if (line['event'] === 'alarm') note(JSON.stringify(line));
}
