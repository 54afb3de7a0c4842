import { http, HttpResponse, type HttpHandler } from 'msw';

/** What becomes of a request: a reply, a connection that breaks, or nothing: then other handlers have it. */
export type Outcome = Response | 'dropped' | undefined;

export type Answer = (request: Request) => Promise<Outcome>;

/** A handler of MSW for the URLs of an area. */
export function intercept(urls: RegExp, answer: Answer): HttpHandler {
  return http.all(urls, async ({ request }) => {
    const outcome = await answer(request);
    return outcome === 'dropped' ? HttpResponse.error() : outcome;
  });
}
