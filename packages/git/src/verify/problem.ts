/** A fault in a repository. The sentence names packs, objects and refs, never a path of the host. */
export interface Problem {
  readonly about: 'pack' | 'idx' | 'graph' | 'object' | 'ref';
  /** The pack's id or the ref's name. */
  readonly where: string;
  readonly what: string;
}
