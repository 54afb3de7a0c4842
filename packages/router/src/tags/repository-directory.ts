import type { Catalogs } from '@packhouse/hosting';
import type { ResourceDirectory, ResourceIdentity, ResourceType } from '@packhouse/tagging';

/** The resource type of repositories (TAG-127). */
export const repositoryType: ResourceType = { type: 'repository', level: 'account' };

export function repositoryResource(id: string): ResourceIdentity {
  return { type: repositoryType.type, zone: null, parent: null, id };
}

/** Returns the name of a repository as a resource: `<namespace>/<repo name>` in stored spelling (TAG-127). */
export function repositoryName({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** Finds repositories in the catalog. */
export function repositoryDirectory(catalog: Catalogs): ResourceDirectory {
  return {
    async find({ account, id }) {
      const repo = await catalog(account).repoById(id);
      return repo && { name: repositoryName(repo) };
    },
  };
}
