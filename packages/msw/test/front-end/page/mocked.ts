import { createMock, type Mock } from '@packhouse/msw';
import { setupWorker } from 'msw/browser';

/** Runs the page with a mock: for development, and for tests in a browser. */
const mock: Mock = createMock({
  baseUrl: location.origin,
  apiTokens: ['secret', 'fresh'],
});
await setupWorker(...mock.handlers).start({ quiet: true, onUnhandledFrame: 'bypass' });
Object.assign(globalThis, { mock });
await import('./main.ts');
