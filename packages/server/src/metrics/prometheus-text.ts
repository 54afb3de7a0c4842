/** The media type of the text format of Prometheus. */
export const prometheusType = 'text/plain; version=0.0.4; charset=utf-8';

export type Labels = Readonly<Record<string, string>>;

/** One line of a metric. */
export interface Sample {
  /** Text after the name of the metric, such as `_bucket` of a histogram. Default: none. */
  readonly suffix?: string;
  readonly labels?: Labels;
  readonly value: number;
}

/** A metric with its samples. */
export interface Metric {
  /** `[a-zA-Z_][a-zA-Z0-9_]*`. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

/** Formats metrics as version 0.0.4 of the text format. Omits a metric without samples. */
export function formatMetrics(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(
        ({ suffix = '', labels = {}, value }) => `${name}${suffix}${formatLabels(labels)} ${formatValue(value)}`,
      );
      return [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
    })
    .join('');
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

export function formatValue(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
