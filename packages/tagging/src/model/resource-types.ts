import type { ResourceDirectory } from './resource-directory.ts';

/** A type of taggable resources (TAG-125). */
export interface ResourceType {
  /** 1 to 64 characters of `a-z`, `0-9` and `_`. */
  readonly type: string;
  readonly level: 'account' | 'zone';
  /**
   * Name of the member that identifies a resource of this type together with its id (terms of `tagging.md`). It has the
   * form of a type, and differs from the other members of requests and replies.
   */
  readonly parent?: string;
  /** Default: every id exists (TAG-130). `account`, `zone` and `repository` have built-in directories. */
  readonly directory?: ResourceDirectory;
}

/** Resource types that a deployment adds to the defaults and removes from them (TAG-125). */
export interface ResourceTypeChanges<Type = ResourceType> {
  /** A type may replace a default type that `remove` names. */
  readonly add?: readonly Type[];
  /** Names of existing types. */
  readonly remove?: readonly string[];
}
