import type { ResourceIdentity } from './tag-store.ts';

/** Directory of the resources of a type, with their names (terms of `tagging.md`). */
export interface ResourceDirectory {
  /** Returns `undefined` if the resource does not exist. Without `name`, its id is its name (TAG-029). */
  find(resource: ResourceIdentity & { readonly account: string }): Promise<{ readonly name?: string } | undefined>;
}

/** Directory of zones and the accounts that own them (TAG-018). */
export interface ZoneDirectory {
  /** Returns the account that owns a zone, or `undefined` if it does not exist. `zone` may be any text. */
  accountOf(zone: string): Promise<string | undefined>;
}
