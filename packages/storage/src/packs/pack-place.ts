import type { PackHolders } from './holders.ts';
import type { PackReservations } from './reservations.ts';
import type { PackStores } from './pack-stores.ts';

/** The notes of a database about packs whose bytes are elsewhere. */
export interface PackNotes {
  readonly reservations: (account: string, id: string) => PackReservations;
  readonly holders: (account: string) => PackHolders;
}

/** The place where several servers keep the bytes of packs: a bucket, or a folder that all of them mount. */
export interface PackPlace {
  /**
   * Marks the place as that of one database. Durable on return.
   *
   * @param database letters and digits.
   */
  mark(database: string): Promise<void>;
  /** Tests whether another database has marked the place. */
  isTaken(database: string): Promise<boolean>;
  /** Tests for such a mark, so that no server uses another place by mistake, or a folder that is not mounted. */
  isMarked(database: string): Promise<boolean>;
  /** Opens the packs of all repositories. Call it once, when the place is marked. Closing them closes the place. */
  open(notes: PackNotes): PackStores;
}

/** Beginning of each mark. */
export const markPrefix = 'database-';

/** Names below a folder that is called so have more parts. */
const markForm = /^database-[0-9A-Za-z]+$/;

/** Returns the name of the mark of a database. */
export function markOf(database: string): string {
  return `${markPrefix}${database}`;
}

/** Tests whether a name in a place is the mark of a database other than this one. */
export function isOtherMark(name: string, database: string | undefined): boolean {
  return markForm.test(name) && (database === undefined || name !== markOf(database));
}
