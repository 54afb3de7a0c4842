import type { ObjectId } from '../object/object-id.ts';
import type { RefRecord } from '../ports/repo-state.ts';
import { resolveHead } from './head.ts';

/** What Git lets users leave away, in the order in which it is tried. */
const prefixes = ['', 'refs/', 'refs/tags/', 'refs/heads/'];

/** Finds refs by names as users type them: `HEAD`, or a ref in full or in short (GIT-073). */
export class TypedNames {
  readonly #values: Map<string, ObjectId>;

  /** `refs` are the visible ones. */
  constructor(refs: readonly RefRecord[], defaultBranch: string) {
    this.#values = new Map(refs.map(({ name, oid }) => [name, oid]));
    const head = resolveHead(refs, defaultBranch).oid;
    if (head !== undefined) this.#values.set('HEAD', head);
  }

  /** What a name points to; undefined: nothing has it. */
  valueOf(name: string): ObjectId | undefined {
    for (const prefix of prefixes) {
      const oid = this.#values.get(prefix + name);
      if (oid !== undefined) return oid;
    }
    return undefined;
  }
}
