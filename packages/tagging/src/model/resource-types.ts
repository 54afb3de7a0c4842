import type { ResourceDirectory } from './resource-directory.ts';

/** A type of resources that can be tagged (TAG-125). */
export interface ResourceType {
  /** 1 to 64 of `a-z`, `0-9` and `_`. */
  readonly type: string;
  readonly level: 'account' | 'zone';
  /**
   * Name of the member that a resource of this type needs beside its id (terms of `tagging.md`), of the same form and
   * none of the other members of requests and replies.
   */
  readonly parent?: string;
  /** Without one every id exists (TAG-130), but of `account`, `zone` and `repository`, whose directories are built in. */
  readonly directory?: ResourceDirectory;
}

/** What a deployment has beside the default types, and which of these it has not (TAG-125). */
export interface ResourceTypeChanges<Type = ResourceType> {
  /** One of the name of a default type takes its place if that is removed. */
  readonly add?: readonly Type[];
  /** Names of types that are there. */
  readonly remove?: readonly string[];
}
