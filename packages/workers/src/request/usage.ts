import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestRecord } from '@packhouse/base';
import type { LogLine } from './log.ts';

/** The cost of one request so far, for its log line. */
export interface Usage {
  /** Operations on R2 by billing class: A are writes, B are reads. */
  r2ClassA: number;
  r2ClassB: number;
  /** Calls of objects, including retries. */
  objectCalls: number;
  /** Calls that an overloaded object refused. */
  overloaded: number;
  /** Maximum of concurrent R2 reads. */
  rangesInFlight: number;
  /** Maximum of bytes that all requests of the isolate have reserved at once so far. */
  bytesReserved: number;
}

export function newUsage(): Usage {
  return { r2ClassA: 0, r2ClassB: 0, objectCalls: 0, overloaded: 0, rangesInFlight: 0, bytesReserved: 0 };
}

/** The state of one request while it runs. */
export interface RequestScope {
  readonly usage: Usage;
  /** The usage when the reply was complete, if work goes on after it. */
  sentUsage?: Usage;
  /** The record that the service wrote about it. */
  record?: RequestRecord;
  /** True if the client disconnected before its request was complete. Later failures are not logged. */
  left?: boolean;
}

const current = new AsyncLocalStorage<RequestScope>();

/** Runs the work of one request within its scope. */
export function withinScope<T>(scope: RequestScope, work: () => T): T {
  return current.run(scope, work);
}

/** Returns the scope of the current request; undefined outside of requests. */
export function currentScope(): RequestScope | undefined {
  return current.getStore();
}

/** Returns the usage of the current request. Outside of requests, returns a new one that is not logged. */
export function currentUsage(): Usage {
  return currentScope()?.usage ?? newUsage();
}

/** Returns the part of a usage that came after `before`. */
export function usageSince(before: Usage, usage: Usage): Usage {
  return {
    ...usage,
    r2ClassA: usage.r2ClassA - before.r2ClassA,
    r2ClassB: usage.r2ClassB - before.r2ClassB,
    objectCalls: usage.objectCalls - before.objectCalls,
    overloaded: usage.overloaded - before.overloaded,
  };
}

/** Converts usage to the members of a log line. */
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
