import type { Target } from '@packhouse/conformance';
import { tenants, type SuiteMockOptions } from './suite-mock.ts';

/** A place for mocks: MSW in this process, or in a page. */
export interface Place {
  start(options: SuiteMockOptions): Promise<void>;
  /** Removes a mock. Returns descriptions of the unexpected failures of its service. */
  close(origin: string): Promise<readonly string[]>;
  /** Further properties of the target. */
  readonly target: Pick<Target, 'fetch' | 'lacks'>;
}

let number = 0;

/** Adds a mock to a place, at a new origin. `configured` adds another one. */
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
