import type { ResourceDirectory } from '../model/resource-directory.ts';
import type { ResourceIdentity } from '../model/tag-store.ts';
import type { Registry } from './registry.ts';

/** A directory for many types. */
export interface SharedDirectory extends ResourceDirectory {
  /** Whether it knows the resources of a type. Default: those of all types that have no directory of their own. */
  serves?(type: string): boolean;
}

/**
 * What the directories tell of a resource: its name if it exists, `unknown` if it does not, `unserved` if its type has
 * no directory, so that every id exists (TAG-130).
 */
export type DirectoryAnswer = { readonly name: string } | 'unknown' | 'unserved';

/** The directories of all types: that of the type itself, the one that is built in, or the shared one. */
export interface Directories {
  serves(type: string): boolean;
  ask(account: string, resource: ResourceIdentity): Promise<DirectoryAnswer>;
}

/** Only the account and the zone of the path exist (TAG-130). */
const ofThePath: ReadonlyMap<string, ResourceDirectory> = new Map([
  ['account', { find: async ({ account, id }) => (id === account ? {} : undefined) }],
  ['zone', { find: async ({ zone, id }) => (id === zone ? {} : undefined) }],
]);

/** @param builtIn by types, beside those of `account` and `zone`. */
export function createDirectories(
  registry: Registry,
  builtIn: ReadonlyMap<string, ResourceDirectory>,
  shared: SharedDirectory | undefined,
): Directories {
  const directoryOf = (type: string): ResourceDirectory | undefined =>
    registry.get(type)?.directory ??
    ofThePath.get(type) ??
    builtIn.get(type) ??
    (shared?.serves?.(type) === false ? undefined : shared);

  return {
    serves: (type) => directoryOf(type) !== undefined,
    async ask(account, resource) {
      const directory = directoryOf(resource.type);
      if (directory === undefined) return 'unserved';
      const found = await directory.find({ ...resource, account });
      // Half a surrogate pair would come back changed from a store that writes UTF-8.
      return found === undefined ? 'unknown' : { name: (found.name ?? resource.id).toWellFormed() };
    },
  };
}
