declare const repoNameBrand: unique symbol;

/** A name that {@link parseRepoName} let through. */
export type RepoName = string & { readonly [repoNameBrand]: true };

/** Reads the name of a repo to create; else the message that says which rule it breaks (REPO-061, LIM-006). */
export function parseRepoName(text: unknown, max: number): { name: RepoName } | { broken: string } {
  if (typeof text !== 'string' || !/^[a-zA-Z0-9][a-zA-Z0-9._-]*$/.test(text)) {
    return { broken: 'Invalid repo name: must match /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/' };
  }
  if (text.length > max) return { broken: `Invalid repo name: must be at most ${max} characters` };
  return { name: text as RepoName };
}
