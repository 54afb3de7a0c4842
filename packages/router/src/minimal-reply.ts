import { textResponse } from './text-response.ts';

/** JSON types that the short look at `Accept` knows. */
const jsonTypes = ['application/json', 'application/problem+json'];

/**
 * The reply for what no area owns (REPO-029, ERR-100): JSON if `Accept` names it before any text format, else plain
 * text. The full negotiation of area C is not here yet.
 */
export function minimalReply(
  request: Request,
  { status, title, detail }: { readonly status: number; readonly title: string; readonly detail: string },
  headers: Readonly<Record<string, string>> = {},
): Response {
  const accepted = (request.headers.get('accept') ?? '')
    .slice(0, 1024)
    .toLowerCase()
    .split(',')
    .map((element) => element.split(';')[0]?.trim() ?? '');
  const first = accepted.find((type) => jsonTypes.includes(type) || type.startsWith('text/') || type === '*/*') ?? '';
  const json = jsonTypes.includes(first);
  const body = json ? { type: 'about:blank', title, status, detail } : undefined;
  const reply = textResponse(body ? `${JSON.stringify(body)}\n` : `${detail}\n`, {
    status,
    headers: { 'content-type': json ? first : 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
  });
  return request.method === 'HEAD' ? new Response(null, reply) : reply;
}

export const notFound = { status: 404, title: 'Not Found', detail: 'Nothing is served at this address.' };
