import { encodeBand, type SideBand } from '../../wire/side-band.ts';

/** Yields the message before the pack, if there is a band for it (GIT-070). */
export function* progress(sideBand: SideBand, objects: number | undefined): Generator<Uint8Array, void, undefined> {
  if (sideBand !== 'none' && objects !== undefined) yield encodeBand(2, `Sending ${objects} objects\n`, sideBand);
}
