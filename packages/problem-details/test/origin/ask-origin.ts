import { fetchOrigin, isThrownPlatformError } from '@packhouse/problem-details';
import type { Question } from './question.ts';

/** Fetches from an origin as requested and returns the result, or acts as a proxy of one. */
export async function handle(request: Request): Promise<Response> {
  const origin = request.headers.get('x-origin');
  if (origin !== null) return fetchOrigin(origin, request).catch(tell);
  const { url, abortAfter, ...times } = (await request.json()) as Question;
  const init = abortAfter === undefined ? {} : { signal: AbortSignal.timeout(abortAfter) };
  try {
    const response = await fetchOrigin(url, init, times);
    const headers = Object.fromEntries(response.headers);
    return Response.json({ status: response.status, headers, body: await response.text() });
  } catch (thrown) {
    if (isThrownPlatformError(thrown)) return Response.json({ code: thrown.code, cause: told(thrown.cause) });
    return Response.json({ thrown: told(thrown) });
  }
}

function tell(thrown: unknown): never {
  console.log(isThrownPlatformError(thrown) ? `platform error ${thrown.code}` : 'another error');
  throw thrown;
}

/** Formats an error and its causes. */
function told(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { code } = thrown as { code?: unknown };
  const own = `${thrown.name}: ${thrown.message}${typeof code === 'string' ? ` [${code}]` : ''}`;
  return thrown.cause === undefined ? own : `${own}; ${told(thrown.cause)}`;
}
