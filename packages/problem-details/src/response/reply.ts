import type { Entry } from '../catalogue/entry.ts';
import { replyHeaders, type ReplyFacts } from './headers.ts';

const encoder = new TextEncoder();

/** Makes a response with a text as body; HEAD gets no body (ERR-079, ERR-126). */
export const makeReply = (
  request: Request,
  status: number,
  text: string,
  facts: Omit<ReplyFacts, 'length'>,
  pending?: Headers,
): Response => {
  const headers = replyHeaders({ ...facts, length: encoder.encode(text).length }, pending);
  return new Response(request.method === 'HEAD' ? null : text, { status, headers });
};

/** Text of the last step of the chain (ERR-119). */
export const plainText = ({ code }: Entry): string => `error code: ${code}\n`;

/** Makes a reply of constants, for the case that even the headers fail. */
export const plainReply = (request: Request, entry: Entry): Response =>
  new Response(request.method === 'HEAD' ? null : plainText(entry), {
    status: entry.http_status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
