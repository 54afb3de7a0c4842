import type { ObjectKind } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { RefName } from './ref-name.ts';

/** The value of a ref. */
export interface RefTarget {
  readonly oid: ObjectId;
  readonly kind: ObjectKind;
  /** For a tag object: the object that it finally peels to (GIT-043); else null. */
  readonly peeled: ObjectId | null;
}

export interface RefRecord extends RefTarget {
  readonly name: RefName;
}
