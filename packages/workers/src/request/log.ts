import { failureRecord } from '@packhouse/base';

/** One log line of a Worker: a flat object. */
export type LogLine = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes a log line. The platform collects the console output. */
export function writeLog(level: 'info' | 'warn' | 'error', line: LogLine): void {
  const text = JSON.stringify({ time: new Date().toISOString(), level, ...line });
  // oxlint-disable-next-line no-console -- the only log there is
  console.log(text);
}

/**
 * Logs an error that no client sees. `requestId` is null for work outside of requests.
 *
 * @param level Default: that of the error, usually `error`.
 */
export function logFailure(error: unknown, requestId: string | null = null, level?: 'info'): void {
  const { level: usual = 'error', ...record } = failureRecord(error, requestId);
  writeLog(level ?? usual, record);
}
