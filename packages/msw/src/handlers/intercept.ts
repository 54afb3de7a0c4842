import { http, HttpResponse, type HttpHandler } from 'msw';

/** The outcome for a request: a reply, a broken connection, or undefined to let other handlers answer. */
export type Outcome = Response | 'dropped' | undefined;

export type Answer = (request: Request) => Promise<Outcome>;

/** Creates a handler of MSW for the URLs of an area. */
export function intercept(urls: RegExp, answer: Answer): HttpHandler {
  return http.all(urls, async ({ request }) => {
    const outcome = await answer(request);
    return outcome === 'dropped' ? HttpResponse.error() : outcome;
  });
}
