import type { ServedRequest } from '../http/sockets.ts';
import { formatValue, type Metric, type Sample } from './prometheus-text.ts';

/** Upper bounds of the durations in seconds: a read of some milliseconds up to a large clone. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, Infinity];

interface Totals {
  /** Number of requests by status. */
  readonly statuses: Map<number, number>;
  /** Number of requests by the first bound that holds their duration. */
  readonly durations: number[];
  seconds: number;
  received: number;
  sent: number;
  failed: number;
  incomplete: number;
}

/** The totals of all requests that a server has answered, by operation. */
export class RequestMetrics {
  readonly #operations = new Map<string, Totals>();

  /** Counts a request. `operation` must be one of a fixed set, since each has separate metrics (REPO-341). */
  add(operation: string, { status, duration, received, sent, whole, failure }: ServedRequest): void {
    const totals = this.#totals(operation);
    const seconds = duration / 1000;
    const bucket = bounds.findIndex((bound) => seconds <= bound);
    totals.statuses.set(status, (totals.statuses.get(status) ?? 0) + 1);
    totals.durations[bucket] = (totals.durations[bucket] ?? 0) + 1;
    totals.seconds += seconds;
    totals.received += received;
    totals.sent += sent;
    if (failure !== undefined || status >= 500) totals.failed++;
    if (!whole) totals.incomplete++;
  }

  metrics(): readonly Metric[] {
    const perOperation = (value: (totals: Totals) => number): readonly Sample[] =>
      [...this.#operations].map(([operation, totals]) => ({ labels: { operation }, value: value(totals) }));
    return [
      {
        name: 'packhouse_requests_total',
        help: 'Requests that were answered, by operation and status. Status 0: the client left before the reply.',
        type: 'counter',
        samples: [...this.#operations].flatMap(([operation, { statuses }]) =>
          [...statuses].map(([status, value]) => ({ labels: { operation, status: String(status) }, value })),
        ),
      },
      {
        name: 'packhouse_request_failures_total',
        help: 'Requests with a status from 500 on, or whose reply broke off in the server.',
        type: 'counter',
        samples: perOperation(({ failed }) => failed),
      },
      {
        name: 'packhouse_requests_incomplete_total',
        help: 'Requests whose reply did not reach the client as a whole.',
        type: 'counter',
        samples: perOperation(({ incomplete }) => incomplete),
      },
      {
        name: 'packhouse_request_duration_seconds',
        help: 'Time from the header of a request to the last byte of its reply.',
        type: 'histogram',
        samples: [...this.#operations].flatMap(([operation, totals]) => histogram(operation, totals)),
      },
      {
        name: 'packhouse_request_bytes_total',
        help: 'Bytes of the bodies of requests.',
        type: 'counter',
        samples: perOperation(({ received }) => received),
      },
      {
        name: 'packhouse_reply_bytes_total',
        help: 'Bytes of the bodies of replies.',
        type: 'counter',
        samples: perOperation(({ sent }) => sent),
      },
    ];
  }

  #totals(operation: string): Totals {
    const known = this.#operations.get(operation);
    if (known !== undefined) return known;
    const totals = { statuses: new Map(), durations: [], seconds: 0, received: 0, sent: 0, failed: 0, incomplete: 0 };
    this.#operations.set(operation, totals);
    return totals;
  }
}

function histogram(operation: string, { durations, seconds }: Totals): readonly Sample[] {
  let count = 0;
  const buckets = bounds.map((bound, index): Sample => {
    count += durations[index] ?? 0;
    return { suffix: '_bucket', labels: { operation, le: formatValue(bound) }, value: count };
  });
  return [
    ...buckets,
    { suffix: '_sum', labels: { operation }, value: seconds },
    { suffix: '_count', labels: { operation }, value: count },
  ];
}
