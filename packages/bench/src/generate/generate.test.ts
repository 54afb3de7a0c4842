import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runGit } from '../internal/run-git.ts';
import { historyStream, smallHistory } from './history.ts';
import { writeGeneratedRepository } from './repository.ts';

const text = (seed: number): string =>
  Buffer.concat([...historyStream({ ...smallHistory, seed })].map((part) => Buffer.from(part))).toString('latin1');

describe('a generated history', () => {
  let folder: string;
  let repository: string;
  const git = (...args: string[]): Promise<string> => runGit(args, { cwd: repository });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packhouse-generate-'));
    repository = join(folder, 'small.git');
    await writeGeneratedRepository(smallHistory, repository);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('depends only on the seed', () => {
    expect(text(1)).toBe(text(1));
    expect(text(1)).not.toBe(text(2));
  });

  it('is a valid repository', async () => {
    expect(await git('fsck', '--full', '--strict')).toBe('');
  });

  it('has merges, renames, large files, annotated and lightweight tags, open branches', async () => {
    expect(Number(await git('rev-list', '--count', '--merges', '--all'))).toBeGreaterThan(0);
    expect(await git('log', '--diff-filter=R', '-M100%', '--format=%h', '--all')).not.toBe('');
    expect(await git('ls-tree', '-r', 'main', 'assets')).toMatch(/large-/);
    const tags = await runGit(['for-each-ref', '--format=%(objecttype)', 'refs/tags'], { cwd: repository });
    expect(tags).toContain('tag');
    expect(await git('for-each-ref', '--no-merged=main', '--format=%(refname)', 'refs/heads')).not.toBe('');
  });
});
