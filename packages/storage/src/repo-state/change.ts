import { eventBytesMax, type NewPack, type PackReplacement, type RecordedEvent, type RepoChange } from '@packhouse/git';
import type { AppliedUpdates } from './apply-updates.ts';

/** Maximum bytes of a file in a row. Durable Object SQL refuses 2 MB, and the row has other columns, too. */
export const rowFileMax = 1_900_000;

/** Maximum number of ended tokens that one call drops: their ids share one value. */
export const droppedTokensMax = 1_000;

/** Maximum bytes of events that are read together, except for a single larger one. */
export const pendingBytesMax = 4_194_304;

/** Milliseconds for which a push id is remembered. */
export const outcomeLifetime = 600_000;

/**
 * Refuses a change that violates the rules of the port, which is an error of the caller, not of a client.
 *
 * @throws {RangeError} for two updates of one ref, an event that is too large, and a pack in rows with missing or too
 * large files.
 */
export function checkChange(change: RepoChange): void {
  if (new Set(change.updates.map((update) => update.name)).size !== change.updates.length) {
    throw new RangeError('A change has two updates of one ref');
  }
  for (const pack of change.addPacks) checkPack(pack);
  for (const { event } of change.updates) if (event !== undefined) checkEvent(event);
}

/** @throws {RangeError} if the body is too large. */
export function checkEvent({ body }: RecordedEvent): void {
  const size = eventSize(body);
  if (size > eventBytesMax) throw new RangeError(`The body of an event is too large: ${size} bytes`);
}

/** Returns the size in bytes of UTF-8. */
export function eventSize(body: string): number {
  return new TextEncoder().encode(body).length;
}

function checkPack(pack: NewPack): void {
  if (pack.where === 'store') return;
  if (pack.files === undefined) throw new RangeError(`Pack ${pack.id} is to lie in rows but has no files`);
  for (const bytes of Object.values(pack.files)) {
    if (bytes.length >= rowFileMax)
      throw new RangeError(`A file of pack ${pack.id} is too large for a row: ${bytes.length} bytes`);
  }
}

/**
 * Refuses a replacement that violates the rules of the port.
 *
 * @throws {RangeError}
 */
export function checkReplacement({ remove, add, leavesOut, ifVersion }: PackReplacement): void {
  if (remove.length === 0) throw new RangeError('A replacement removes no pack');
  if (new Set(remove).size !== remove.length) throw new RangeError('A replacement removes a pack twice');
  if (add === undefined && !leavesOut) throw new RangeError('A replacement by nothing leaves something out');
  if ((leavesOut || add?.exact === true) && ifVersion === undefined) {
    throw new RangeError('A replacement that leaves something out, or is exact, needs the version it was judged by');
  }
  if (add !== undefined) checkPack(add);
}

/** Tells which packs may stay or become `exact` with a change (see `PackRecord.exact`). */
export interface Exactness {
  /** For packs already in the manifest. */
  readonly old: boolean;
  /** For packs that the change adds. */
  readonly added: boolean;
}

/**
 * @param held number of packs in the manifest before the change.
 * @param adding number of packs that the change adds.
 */
export function exactnessAfter(held: number, adding: number, applied: AppliedUpdates): Exactness {
  return {
    old: !applied.movedBack && adding === 0,
    // Its objects were proved reachable from all new values together, so one refused update voids the proof.
    added:
      held === 0 && adding === 1 && !applied.movedBack && applied.outcomes.every((outcome) => outcome.kind === 'ok'),
  };
}
