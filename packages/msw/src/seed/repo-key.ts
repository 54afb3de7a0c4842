/** The repo that a key of a seed names. */
export interface RepoKey {
  readonly namespace: string;
  readonly name: string;
}

/** Parses `name`, which means the namespace `default`, or `namespace/name`. Neither part can contain a slash. */
export function readRepoKey(key: string): RepoKey {
  const slash = key.indexOf('/');
  return slash < 0
    ? { namespace: 'default', name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
