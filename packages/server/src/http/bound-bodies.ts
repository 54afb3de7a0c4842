import { plainReply, UnservableRequestError } from './plain-reply.ts';
import type { Answering } from './sockets.ts';

/** Number of requests with a large body that are admitted together, even with little memory. */
const admittedLeast = 8;

/** Bytes. A body up to this size costs no more than its connection, so it is always admitted. */
const smallBody = 16 * 1024;

/**
 * Answers a request with a body by 503 while other bodies fill `memory` bytes, or bodies of the same token fill half of
 * it (LIM-080). A runtime buffers up to `each` bytes of a body before the service reads it, so a waiting upload costs
 * memory.
 */
export function boundBodies(answering: Answering, memory: number, each: number): Answering {
  const limit = Math.max(memory, admittedLeast * each);
  let used = 0;
  const usedByToken = new Map<string, number>();
  const take = (token: string, bytes: number): void => {
    used += bytes;
    const ofToken = (usedByToken.get(token) ?? 0) + bytes;
    if (ofToken > 0) usedByToken.set(token, ofToken);
    else usedByToken.delete(token);
  };
  return {
    ...answering,
    async handler(request) {
      const length = request.headers.get('content-length');
      const bytes = Math.min(each, length === null ? each : Number(length));
      if (request.body === null || bytes <= smallBody) return await answering.handler(request);
      const token = request.headers.get('authorization') ?? '';
      if (used + bytes > limit || (usedByToken.get(token) ?? 0) + bytes > limit / 2) return overloaded();
      take(token, bytes);
      try {
        return await answering.handler(request);
      } finally {
        take(token, -bytes);
      }
    },
  };
}

function overloaded(): Response {
  const reply = plainReply(new UnservableRequestError(503, 'The service is overloaded. Please retry.'));
  reply.headers.set('retry-after', '10');
  return reply;
}
