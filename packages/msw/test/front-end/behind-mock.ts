import type { Mock } from '@packhouse/msw';
import type { Behind } from './scenarios.ts';

/** Controls a mock behind the page. */
export function behindMock({ store, faults }: Mock): Behind {
  return {
    seed: store.seed,
    tags: async () => Object.fromEntries((await store.inspect.tags()).map(({ name, tags }) => [name, tags])),
    faults: async () => faults.current.length,
  };
}
