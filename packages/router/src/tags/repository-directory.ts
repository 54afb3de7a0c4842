import type { Catalogs } from '@packhouse/hosting';
import type { ResourceDirectory, ResourceIdentity, ResourceType } from '@packhouse/tagging';

/** The resource type of repositories (TAG-127). */
export const repositoryType: ResourceType = { type: 'repository', level: 'account' };

export function repositoryResource(id: string): ResourceIdentity {
  return { type: repositoryType.type, zone: null, parent: null, id };
}

/** Finds repositories in the catalog. Their resource name is `<namespace>/<repo name>` in stored spelling (TAG-127). */
export function repositoryDirectory(catalog: Catalogs): ResourceDirectory {
  return {
    async find({ account, id }) {
      const repo = await catalog(account).repoById(id);
      return repo && { name: `${repo.namespace}/${repo.name}` };
    },
  };
}
