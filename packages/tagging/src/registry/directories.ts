import type { ResourceDirectory } from '../model/resource-directory.ts';
import type { ResourceIdentity } from '../model/tag-store.ts';
import type { Registry } from './registry.ts';

/** A directory of many types. */
export interface SharedDirectory extends ResourceDirectory {
  /** Tells if the directory has the resources of a type. Default: it has all types without their own directory. */
  serves?(type: string): boolean;
}

/**
 * Answer of the directories: the name of an existing resource, `unknown` if it does not exist, `unserved` if its type
 * has no directory, so that every id exists (TAG-130).
 */
export type DirectoryAnswer = { readonly name: string } | 'unknown' | 'unserved';

/** Directories of all types. A type's own directory goes first, then the built-in one, then the shared one. */
export interface Directories {
  serves(type: string): boolean;
  ask(account: string, resource: ResourceIdentity): Promise<DirectoryAnswer>;
}

/** The built-in directories, in which only the account and the zone of the path exist (TAG-130). */
const ofThePath: ReadonlyMap<string, ResourceDirectory> = new Map([
  ['account', { find: async ({ account, id }) => (id === account ? {} : undefined) }],
  ['zone', { find: async ({ zone, id }) => (id === zone ? {} : undefined) }],
]);

/** @param builtIn directories by type, in addition to those of `account` and `zone`. */
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
      // A store that writes UTF-8 would change an unpaired surrogate.
      return found === undefined ? 'unknown' : { name: (found.name ?? resource.id).toWellFormed() };
    },
  };
}
