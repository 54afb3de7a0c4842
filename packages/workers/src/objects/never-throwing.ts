import { logFailure } from '../service/log.ts';
import type { ObjectStorage } from './object-state.ts';

/** Milliseconds until an alarm that failed altogether is tried again. */
const delay = 60_000;

/**
 * Runs the work of an alarm. One that throws is repeated by the platform a few times, at its own pace, and then
 * forgotten; so it never does, and sets another one.
 */
export async function neverThrowing(storage: ObjectStorage, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logFailure(error);
    await storage.setAlarm(Date.now() + delay).catch(logFailure);
  }
}
