import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Calls `take` for each line of an output. */
export function readLines(output: Readable, take: (line: string) => void): void {
  createInterface(output).on('line', take);
}
