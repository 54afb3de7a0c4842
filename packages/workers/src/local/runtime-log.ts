import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { failureRecord } from '@packhouse/base';

/** One line of the log. */
export type LocalLogLine = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Reads the output of workerd: the JSON lines of the Worker, and the messages of the runtime. */
export function readRuntimeLog(output: Readable, errors: Readable, take: (line: LocalLogLine) => void): void {
  const other = (level: string, text: string): void => {
    // Removes paths and secrets, as for any other failure.
    const { message } = failureRecord({ message: text }, null);
    if (message.trim() !== '') take({ time: new Date().toISOString(), level, event: 'runtime', message });
  };
  createInterface(output).on('line', (text) => {
    const line = parsedLine(text);
    if (line === undefined) other('info', text);
    else take(line);
  });
  createInterface(errors).on('line', (text) => {
    // A client that left is not an error, and stacks help only developers of workerd.
    if (/\bdisconnected: |^stack: /.test(text)) return;
    // A request with an invalid `Host` or target is not an error either: the runtime answers it.
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
