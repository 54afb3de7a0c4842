import type { PostgresDriver } from '@packhouse/base';
import type { PackPlace } from '../../packs/pack-place.ts';

/**
 * The place for packs is not the one that the other servers of the database use, it is not mounted, or another database
 * has marked it. `doctor` tells operators that packs without a row may be deleted. In a shared place, those of the other
 * database would be among them.
 */
export class WrongPlaceError extends Error {
  override readonly name = 'WrongPlaceError';

  /** True if another database has marked the place. */
  readonly isTaken: boolean;

  constructor(isTaken = false) {
    super(
      isTaken ? 'The packs of another database are in this place' : 'The packs of this database are in another place',
    );
    this.isTaken = isTaken;
  }
}

/**
 * Returns the id of the database, with which the place for its packs is marked. The first server of a database marks its
 * place.
 *
 * @throws {WrongPlaceError} if the database has another place already, or another database has this one.
 */
export async function claimPlace(driver: PostgresDriver, place: PackPlace): Promise<string> {
  const read = 'SELECT id, is_marked AS "isMarked" FROM packhouse.identity';
  const [known] = await driver.rows<{ id: string; isMarked: boolean }>(read);
  if (known === undefined) throw new Error('The database has no identity');
  if (!known.isMarked) {
    // Locks the row, so that of servers that start at once, one marks its place.
    await driver.transaction(async (session) => {
      const [locked] = await session.rows<{ isMarked: boolean }>(`${read} FOR UPDATE`);
      if (locked?.isMarked !== false) return;
      if (await place.isTaken(known.id)) throw new WrongPlaceError(true);
      await place.mark(known.id);
      // Of two databases that mark one place at the same time, at least the later one sees the other mark.
      if (await place.isTaken(known.id)) throw new WrongPlaceError(true);
      await session.rows('UPDATE packhouse.identity SET is_marked = true');
    });
  }
  if (!(await place.isMarked(known.id))) throw new WrongPlaceError();
  return known.id;
}

/** Returns the id of the database, without a change of it. Undefined: it has no tables yet. */
export async function identityOf(driver: PostgresDriver): Promise<string | undefined> {
  const [table] = await driver.rows<{ exists: boolean }>(
    "SELECT to_regclass('packhouse.identity') IS NOT NULL AS exists",
  );
  if (table?.exists !== true) return undefined;
  const [known] = await driver.rows<{ id: string }>('SELECT id FROM packhouse.identity');
  return known?.id;
}
