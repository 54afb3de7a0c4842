import type { Answering } from '../http/sockets.ts';
import { takeRequest, type Delivery } from './one-request.ts';

/** The requests of a runtime that speaks Fetch by itself: Deno and Bun. */
export interface Answers {
  /** Never rejects. */
  answer(given: Request, delivery: Delivery): Promise<Response>;
  /** Requests in hand. */
  readonly running: () => number;
  /** Resolves when no request is in hand. */
  idle(): Promise<void>;
  /** Breaks off every reply in hand, also those that have not begun, as if their clients had left. */
  cut(): void;
}

/** Answers requests with a Fetch handler, keeps count of them, and tells of each when it has ended. */
export function createAnswers(options: Answering): Answers {
  const inHand = new Map<Promise<void>, () => void>();
  return {
    async answer(given, delivery): Promise<Response> {
      const { response, ended, cut } = takeRequest(given, delivery, options);
      const kept = ended.finally(() => inHand.delete(kept));
      inHand.set(kept, cut);
      return await response;
    },
    running: () => inHand.size,
    async idle(): Promise<void> {
      while (inHand.size > 0) await Promise.allSettled(inHand.keys());
    },
    cut(): void {
      for (const cut of inHand.values()) cut();
    },
  };
}
