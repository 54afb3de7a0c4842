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
  const bytes = encoder.encode(text);
  const headers = replyHeaders({ ...facts, length: bytes.length }, pending);
  return new Response(request.method === 'HEAD' ? null : bytes, { status, headers });
};
