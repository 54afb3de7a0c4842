import { expect, it } from 'vitest';
import type { Catalog } from '@packhouse/hosting';
import { repositoryDirectory, repositoryResource } from './repository-directory.ts';

it('TAG-127: finds the repositories of the catalog, named by namespace and name', async () => {
  const catalogs = (account: string): Catalog =>
    ({
      repoById: async (id: string) =>
        account === 'a1' && id === 'r1' ? { namespace: 'Default', name: 'Notes' } : undefined,
    }) as Partial<Catalog> as Catalog;
  const { find } = repositoryDirectory(catalogs);
  expect(await find({ ...repositoryResource('r1'), account: 'a1' })).toEqual({ name: 'Default/Notes' });
  expect(await find({ ...repositoryResource('r2'), account: 'a1' })).toBeUndefined();
});
