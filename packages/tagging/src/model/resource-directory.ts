import type { ResourceIdentity } from './tag-store.ts';

/** Knows which resources of a type exist and what they are called (terms of `tagging.md`). */
export interface ResourceDirectory {
  /** `undefined`: there is no such resource. Without a `name` it is called as its id is (TAG-029). */
  find(resource: ResourceIdentity & { readonly account: string }): Promise<{ readonly name?: string } | undefined>;
}

/** Knows whose a zone is (TAG-018). */
export interface ZoneDirectory {
  /** The account that owns a zone; `undefined` for one that does not exist. `zone` may be any text. */
  accountOf(zone: string): Promise<string | undefined>;
}
