import { CliError } from '../output/cli-error.ts';

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Parses the time of an option to milliseconds since 1970: a date or time of ISO 8601, or an age: `30s`, `10m`, `2h`,
 * `1d`.
 *
 * @param now milliseconds since 1970.
 * @throws {CliError} kind `usage`.
 */
export function parseTime(option: string, text: string, now: number): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return now - Number(count) * (units[unit] as number);
  const time = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new CliError(
    'usage',
    `--${option} cannot be "${text}".`,
    'Write how long ago, such as 30s, 10m, 2h or 1d, or a time such as 2026-11-21T12:00:00Z.',
  );
}
