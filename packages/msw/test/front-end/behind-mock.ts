import type { Mock } from '@packhouse/msw';
import type { Behind } from './scenarios.ts';

/** What is behind the page when it is a mock. */
export function behindMock({ store, faults }: Mock): Behind {
  return {
    seed: store.seed,
    tags: async () => Object.fromEntries((await store.inspect.tags()).map(({ name, tags }) => [name, tags])),
    faults: async () => faults.current.length,
  };
}
