import { alignColumns } from '../report/table.ts';
import type { LargeRow } from './run-large.ts';

/** Formats the steps of a run with large repositories. */
export const renderLarge = (rows: readonly LargeRow[]): string =>
  alignColumns([
    ['', 's', 'processor s', 'peak MiB', 'longest wait ms'],
    ...rows.map(({ step, milliseconds, processor, memory, wait }) => [
      step,
      (milliseconds / 1000).toFixed(1),
      (processor / 1000).toFixed(1),
      memory === null ? '-' : String(Math.round(memory / 1_048_576)),
      String(Math.round(wait)),
    ]),
  ]);
