/** A fault in a repository. The sentence names packs, objects and refs, never a path of the host. */
export interface Problem {
  readonly about: 'pack' | 'idx' | 'graph' | 'object' | 'ref';
  /** The id of the pack or the name of the ref. */
  readonly where: string;
  readonly what: string;
}
