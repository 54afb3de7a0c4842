import { setupWorker } from 'msw/browser';
import { suiteMock, type SuiteMock, type SuiteMockOptions } from './suite-mock.ts';

export { leave, readOn, send } from './sending.ts';

const mocks = new Map<string, SuiteMock>();
const worker = setupWorker();

/** Gives the service worker control of the page. MSW answers 500 to requests that no mock handles. */
export async function begin(): Promise<void> {
  await worker.start({ quiet: true, onUnhandledFrame: 'error', serviceWorker: { url: '/mockServiceWorker.js' } });
}

export function startMock(options: SuiteMockOptions): void {
  mocks.set(options.origin, suiteMock(options));
  mockThem();
}

/** Removes a mock. Returns descriptions of the unexpected failures of its service. */
export function closeMock(origin: string): readonly string[] {
  const failures = mocks.get(origin)?.failures ?? [];
  mocks.delete(origin);
  mockThem();
  return failures;
}

function mockThem(): void {
  worker.resetHandlers(...[...mocks.values()].flatMap(({ mock }) => mock.handlers));
}
