import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Hands over each line of an output as it comes. */
export function readLines(output: Readable, take: (line: string) => void): void {
  createInterface(output).on('line', take);
}
