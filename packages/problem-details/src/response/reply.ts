import type { Entry } from '../catalogue/entry.ts';
import { replyHeaders, type ReplyFacts } from './headers.ts';

const encoder = new TextEncoder();

/** A response with a text as its body, which a HEAD does not get (ERR-079, ERR-126). */
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

/** The end of the chain (ERR-119). */
export const plainText = ({ code }: Entry): string => `error code: ${code}\n`;

/** The last reply of all, made of constants, for when the headers could not be made either. */
export const plainReply = (request: Request, entry: Entry): Response =>
  new Response(request.method === 'HEAD' ? null : plainText(entry), {
    status: entry.http_status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
