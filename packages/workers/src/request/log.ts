import { failureRecord } from '@packhouse/base';

/** One line of the log of a Worker: an object of flat members. */
export type LogLine = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes a line of the log. The platform takes what is printed. */
export function writeLog(level: 'info' | 'warn' | 'error', line: LogLine): void {
  const text = JSON.stringify({ time: new Date().toISOString(), level, ...line });
  // oxlint-disable-next-line no-console -- the only log there is
  console.log(text);
}

/** Logs an error that no client hears of. `requestId`: null for work that belongs to no request. */
export function logFailure(error: unknown, requestId: string | null = null): void {
  const { level = 'error', ...record } = failureRecord(error, requestId);
  writeLog(level, record);
}
