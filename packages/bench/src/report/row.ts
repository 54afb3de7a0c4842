import type { Usage } from '../servers/usage.ts';
import { median } from './statistics.ts';

/** The unit of samples. More is better for units per second, less for the others. */
export type Unit = 'ms' | 'requests/s' | 'calls/s' | 'MB/s' | 'MB';

/** One measure with the samples of every server. */
export interface Row {
  /** The stable name for `--only`, such as `small-push`. */
  readonly name: string;
  readonly title: string;
  readonly unit: Unit;
  /** Samples by server, in the order of the rounds. */
  readonly samples: Readonly<Record<string, readonly number[]>>;
  /**
   * The number of `git` processes that the server behind CGI starts per sample (for a rate, per request). Starting them
   * is a cost that this server does not have, and winning only by it is no merit.
   */
  readonly gitStarts: number;
}

/** The costs of a repository made by many small pushes on one server, as ratios to one made by a single push. */
export interface ManyPushesRow {
  readonly server: string;
  readonly pushes: number;
  /** Measured right after the last push, or after the repository has been idle for a while. */
  readonly when: 'at once' | 'later';
  readonly packs: number;
  /** Bytes of a clone's pack, as a ratio: small pushes find fewer deltas than a single push. */
  readonly bytes: number;
  /** Ratio of the fastest samples, which other work on the machine disturbs least. 1 means no difference. */
  readonly clone: number;
  readonly fetch: number;
  /** Ratio of the last tenth of the pushes to the first; null where it is not measured. */
  readonly push: number | null;
}

/** The cost of one request on a server that reports it. */
export interface UsageRow {
  readonly server: string;
  readonly title: string;
  readonly usage: Usage;
}

const cost = (row: Row, sample: number): number => (row.unit.endsWith('/s') ? 1000 / sample : sample);

/**
 * Returns the cost of the server `ours` divided by that of `theirs`: below 1 means less time, or memory. Null if one of
 * them has no samples.
 */
export const ratio = (row: Row, ours: string, theirs: string): number | null => {
  const [own, other] = [row.samples[ours], row.samples[theirs]];
  if (!own?.length || !other?.length) return null;
  return cost(row, median(own)) / cost(row, median(other));
};

/**
 * Returns the same ratio after subtracting the start of the other's `git` processes from its time. Null for memory, for
 * measures without such a start, for concurrent requests (which start processes in parallel), and if no time is left.
 */
export const ratioWithoutStarts = (row: Row, ours: string, theirs: string, startMs: number): number | null => {
  const [own, other] = [row.samples[ours], row.samples[theirs]];
  if (!own?.length || !other?.length || row.gitStarts === 0 || row.unit === 'MB') return null;
  const left = cost(row, median(other)) - row.gitStarts * startMs;
  return left > 0 ? cost(row, median(own)) / left : null;
};

/** Shares of the layers in the busy time of one kind of request, the largest first. */
export interface ShareRow {
  readonly title: string;
  readonly shares: Readonly<Record<string, number>>;
}
