import { StorageUnavailable } from '@packhouse/base';
import { expect, it } from 'vitest';
import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import { madeOrUndone } from './begin-repo.ts';

it('GIT-155: does not undo an import whose state may be ready, but cannot be read', async () => {
  let dropped = 0;
  const gone = new StorageUnavailable('gone');
  const context = {
    catalog: () => ({ dropRepo: async () => void dropped++, repoById: async () => undefined }),
    clock: { now: () => 0 },
    storage: { repo: () => ({ state: { open: () => Promise.reject(gone) } }) },
  } as unknown as Context;
  const repo = { id: 'r1', status: 'importing' } as RepoRecord;
  await expect(madeOrUndone(context, 'a1', repo, () => Promise.reject(gone))).rejects.toBe(gone);
  expect(dropped).toBe(0);
});
