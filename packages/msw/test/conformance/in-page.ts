import { setupWorker } from 'msw/browser';
import { suiteMock, type SuiteMock, type SuiteMockOptions } from './suite-mock.ts';

export { leave, readOn, send } from './sending.ts';

const mocks = new Map<string, SuiteMock>();
const worker = setupWorker();

/** Has the service worker in charge of the page. MSW answers by 500 what no mock does. */
export async function begin(): Promise<void> {
  await worker.start({ quiet: true, onUnhandledFrame: 'error', serviceWorker: { url: '/mockServiceWorker.js' } });
}

export function startMock(options: SuiteMockOptions): void {
  mocks.set(options.origin, suiteMock(options));
  mockThem();
}

/** Takes a mock away; what its service reported as failures of its own, in words. */
export function closeMock(origin: string): readonly string[] {
  const failures = mocks.get(origin)?.failures ?? [];
  mocks.delete(origin);
  mockThem();
  return failures;
}

function mockThem(): void {
  worker.resetHandlers(...[...mocks.values()].flatMap(({ mock }) => mock.handlers));
}
