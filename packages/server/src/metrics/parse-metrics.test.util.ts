// @ts-expect-error The package has no types.
import untyped from 'parse-prometheus-text-format';

interface ParsedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly metrics: readonly {
    readonly labels?: Readonly<Record<string, string>>;
    readonly value?: string;
    readonly buckets?: Readonly<Record<string, string>>;
  }[];
}

/** Parses the text format of Prometheus by a package that is not ours. */
export const parseMetrics: (text: string) => readonly ParsedMetric[] = untyped;
