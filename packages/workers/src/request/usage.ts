import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestRecord } from '@packhouse/base';
import type { LogLine } from './log.ts';

/** What one request has cost so far; the log line tells it. */
export interface Usage {
  /** Operations on R2: writes and reads, as they are billed. */
  r2ClassA: number;
  r2ClassB: number;
  /** Calls of objects, repeated ones included. */
  objectCalls: number;
  /** Calls that an object refused because it had too many. */
  overloaded: number;
  /** Most reads of R2 under way at once. */
  rangesInFlight: number;
  /** Most bytes of memory that the requests of the isolate reserved at once, so far. */
  bytesReserved: number;
}

export function newUsage(): Usage {
  return { r2ClassA: 0, r2ClassB: 0, objectCalls: 0, overloaded: 0, rangesInFlight: 0, bytesReserved: 0 };
}

/** One request as it is worked on. */
export interface RequestScope {
  readonly usage: Usage;
  /** What the service said of it. */
  record?: RequestRecord;
  /** Whether the client went away before it had sent everything. Nothing that fails then is of interest. */
  left?: boolean;
}

const current = new AsyncLocalStorage<RequestScope>();

/** Runs the work of one request. */
export function withinScope<T>(scope: RequestScope, work: () => T): T {
  return current.run(scope, work);
}

/** That of the request which is being worked on; undefined outside of requests. */
export function currentScope(): RequestScope | undefined {
  return current.getStore();
}

/** The usage of the current request. Outside of requests, a new one that is dropped. */
export function currentUsage(): Usage {
  return currentScope()?.usage ?? newUsage();
}

/** As the log has it. */
export function usageFields(usage: Usage): LogLine {
  const { r2ClassA, r2ClassB, objectCalls, overloaded, rangesInFlight, bytesReserved } = usage;
  return {
    r2_a: r2ClassA,
    r2_b: r2ClassB,
    object_calls: objectCalls,
    ...(rangesInFlight === 0 ? {} : { ranges_in_flight: rangesInFlight }),
    ...(bytesReserved === 0 ? {} : { bytes_reserved: bytesReserved }),
    ...(overloaded === 0 ? {} : { overloaded }),
  };
}
