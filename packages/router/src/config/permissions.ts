/** A permission of an API token for tags (TAG-017). */
export type TagPermission = 'tag.read' | 'tag.write';

/** A permission of an API token in an account. `edit` includes `read` (REPO-030), `tag.write` includes `tag.read`. */
export type ApiPermission = 'read' | 'edit' | TagPermission;

/** The permissions for tags, as a configuration spells them. */
export const tagPermissions: readonly TagPermission[] = ['tag.read', 'tag.write'];

/** All permissions that a configuration may grant. */
export const apiPermissions: readonly ApiPermission[] = ['read', 'edit', ...tagPermissions];
