import type { Target } from '@packhouse/conformance';
import { tenants, type SuiteMockOptions } from './suite-mock.ts';

/** A place that mocks can be put behind: MSW in this process, or in a page. */
export interface Place {
  start(options: SuiteMockOptions): Promise<void>;
  /** Takes one away; what its service reported as failures of its own, in words. */
  close(origin: string): Promise<readonly string[]>;
  /** What else is to be known of it. */
  readonly target: Pick<Target, 'fetch' | 'lacks'>;
}

let number = 0;

/** Puts a mock behind a place, at an origin of its own. `configured` puts another one there. */
export async function startTarget(
  place: Place,
  name: string,
  dialect: Target['dialect'],
  settings: SuiteMockOptions['settings'] = {},
): Promise<Target & Required<Pick<Target, 'close'>>> {
  const origin = `https://mock-${++number}.example.test`;
  await place.start({ origin, dialect, settings });
  return {
    ...tenants,
    ...place.target,
    name,
    origin,
    dialect,
    zone: origin,
    listens: false,
    configured: async (wanted) => await startTarget(place, `${name}, ${JSON.stringify(wanted)}`, dialect, wanted),
    async close() {
      const failures = await place.close(origin);
      if (failures.length > 0) throw new Error(`the mock reported failures: ${failures.slice(0, 5).join('\n')}`);
    },
  };
}
