/**
 * Runs one migration, and kills its own process at a step: `node migrate-process.ts OPTIONS`, as JSON. Prints the number
 * of steps if it comes to its end.
 */

import type { SharedStorage } from '@packhouse/server/shared-storage';
import { migrate } from '../../src/shared-storage/migrate.ts';

export interface MigrateProcessOptions {
  readonly data: string;
  readonly shared: SharedStorage;
  readonly back: boolean;
  /** Number of the step at which the process dies; 0 for none. */
  readonly killAt: number;
  /** Milliseconds after that step, so that the work of the step has begun. */
  readonly after: number;
}

const { data, shared, back, killAt, after } = JSON.parse(process.argv[2] ?? '') as MigrateProcessOptions;
let step = 0;
await migrate(data, shared, {
  back,
  verify: false,
  show() {
    if (++step === killAt) setTimeout(() => process.kill(process.pid, 'SIGKILL'), after);
  },
});
process.stdout.write(`${step}\n`);
process.exit();
