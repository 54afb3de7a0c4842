import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { failureRecord } from '@packhouse/base';

/** One line of the log. */
export type LocalLogLine = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Reads what workerd prints: the Worker's own lines of JSON, and what the runtime has to say. */
export function readRuntimeLog(output: Readable, errors: Readable, take: (line: LocalLogLine) => void): void {
  const other = (level: string, text: string): void => {
    // As of any other failure: without paths and secrets.
    const { message } = failureRecord({ message: text }, null);
    if (message.trim() !== '') take({ time: new Date().toISOString(), level, event: 'runtime', message });
  };
  createInterface(output).on('line', (text) => {
    const line = parsedLine(text);
    if (line === undefined) other('info', text);
    else take(line);
  });
  createInterface(errors).on('line', (text) => {
    // That a client left is no error, and stacks are of use to whoever builds workerd alone.
    if (/\bdisconnected: |^stack: /.test(text)) return;
    // Nor is a request that makes no URL, by its `Host` or its target: the runtime answers it by itself.
    other(/\binvalid (?:hostname when stringifying )?URL;/.test(text) ? 'info' : 'error', text);
  });
}

function parsedLine(text: string): LocalLogLine | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const line = JSON.parse(text) as Record<string, unknown>;
    return typeof line['event'] === 'string' ? (line as LocalLogLine) : undefined;
  } catch {
    return undefined;
  }
}
