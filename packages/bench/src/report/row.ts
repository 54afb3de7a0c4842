import { median } from './statistics.ts';

/** What samples are counted in. Of what is counted by the second more is better, of the others less. */
export type Unit = 'ms' | 'requests/s' | 'calls/s' | 'MB/s' | 'MB';

/** One measure with the samples of every server. */
export interface Row {
  /** Stable name, such as `small-push`; what `--only` takes. */
  readonly name: string;
  readonly title: string;
  readonly unit: Unit;
  /** Samples by server, in the order of the rounds. */
  readonly samples: Readonly<Record<string, readonly number[]>>;
  /**
   * `git` processes that the server behind CGI starts for one sample (for a rate, for one request): their bare start
   * is a cost that this server does not have, and winning by it alone is no merit.
   */
  readonly gitStarts: number;
}

const cost = (row: Row, sample: number): number => (row.unit.endsWith('/s') ? 1000 / sample : sample);

/**
 * How much the server `ours` takes for what `theirs` does: below 1 means less time, or memory, than theirs. Null when
 * one of them has no samples.
 */
export const ratio = (row: Row, ours: string, theirs: string): number | null => {
  const [own, other] = [row.samples[ours], row.samples[theirs]];
  if (!own?.length || !other?.length) return null;
  return cost(row, median(own)) / cost(row, median(other));
};

/**
 * The same ratio after the bare start of the other's `git` processes is taken off its time. Null for memory, for
 * measures without such a start, for concurrent requests (which start processes side by side), and when nothing of its
 * time is left.
 */
export const ratioWithoutStarts = (row: Row, ours: string, theirs: string, startMs: number): number | null => {
  const [own, other] = [row.samples[ours], row.samples[theirs]];
  if (!own?.length || !other?.length || row.gitStarts === 0 || row.unit === 'MB') return null;
  const left = cost(row, median(other)) - row.gitStarts * startMs;
  return left > 0 ? cost(row, median(own)) / left : null;
};
