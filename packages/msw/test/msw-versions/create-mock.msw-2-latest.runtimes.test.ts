import type { RequestHandler } from 'msw';
import { http, HttpResponse } from 'msw-2-latest';
import { setupServer } from 'msw-2-latest/node';
import { vi } from 'vitest';
import { testMock } from './mock-suite.ts';

vi.mock('msw', async () => await import('msw-2-latest'));

testMock({
  name: 'MSW 2, the latest',
  serve(handlers) {
    // The types of handlers differ between two versions; here both come from this one.
    const server = setupServer(...(handlers as unknown as Parameters<typeof setupServer>));
    return { listen: () => server.listen({ onUnhandledRequest: 'error' }), close: () => server.close() };
  },
  own: (url, text) => http.all(url, () => HttpResponse.text(text)) as unknown as RequestHandler,
});
