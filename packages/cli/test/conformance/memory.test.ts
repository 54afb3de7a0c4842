import type { Case, Need } from '@packhouse/conformance';
import { inMemory } from './support/memory.ts';
import { testRuntime } from './support/test-runtime.ts';

/**
 * What a mock of `@packhouse/msw` offers, too. It is the same router over the same storage, without sockets, and runs
 * each case that needs nothing else in both dialects (packages/msw/src/conformance/node.test.ts), in less time. Here are
 * the others, so that each case is run in both dialects somewhere: a need that is new is taken for one of these.
 */
const offeredByMocks: readonly Need[] = ['read token', 'other account', 'settings', 'zone', 'zone id', 'streaming'];

const isBeyondMocks = ({ needs = [] }: Case): boolean => needs.some((need) => !offeredByMocks.includes(need));

testRuntime('memory', inMemory, { allTheSame: isBeyondMocks });
