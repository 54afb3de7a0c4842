/** What an API token may do to tags (TAG-017). */
export type TagPermission = 'tag.read' | 'tag.write';

/** What an API token may do in an account; `edit` includes `read` (REPO-030), `tag.write` includes `tag.read`. */
export type ApiPermission = 'read' | 'edit' | TagPermission;

/** As a configuration spells them. */
export const tagPermissions: readonly TagPermission[] = ['tag.read', 'tag.write'];

/** All there are. */
export const apiPermissions: readonly ApiPermission[] = ['read', 'edit', ...tagPermissions];
