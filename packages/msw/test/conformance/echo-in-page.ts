import { http, HttpResponse } from 'msw';
import { setupWorker } from 'msw/browser';

export { leave, readOn, send } from './sending.ts';

/** The request as a handler of the page received it. The header `x-arrived` returns it as JSON in percent-encoding. */
export interface Arrived {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Answers each request to `origin` with a description of the request and the same body; `/redirect` with a redirect.
 */
export async function begin(origin: string): Promise<void> {
  const worker = setupWorker(
    http.all(`${origin}/redirect`, () => new HttpResponse(null, { status: 302, headers: { location: '/elsewhere' } })),
    http.all(
      `${origin}/endless`,
      () => new Response(new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(65_536)) })),
    ),
    http.all(`${origin}/*`, async ({ request }) => {
      const { method } = request;
      const arrived: Arrived = { method, headers: Object.fromEntries(request.headers) };
      return new HttpResponse(await request.arrayBuffer(), {
        headers: { 'x-arrived': encodeURIComponent(JSON.stringify(arrived)) },
      });
    }),
  );
  await worker.start({ quiet: true, onUnhandledFrame: 'error', serviceWorker: { url: '/mockServiceWorker.js' } });
}
