import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { testMock } from './mock-suite.ts';

testMock({
  name: 'MSW 3',
  serve(handlers) {
    const server = setupServer(...handlers);
    return { listen: () => server.listen({ onUnhandledFrame: 'error' }), close: () => server.close() };
  },
  own: (url, text) => http.all(url, () => HttpResponse.text(text)),
});
