import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An event as a webhook receives it. */
export interface SunkEvent {
  readonly id: string;
  readonly type: string;
  readonly source: { readonly repoName: string };
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A webhook on loopback that keeps all events. */
export interface EventSink {
  readonly url: string;
  /** Events in the order of the replies, with duplicates. */
  readonly events: readonly SunkEvent[];
  close(): Promise<void>;
}

/** @param delay milliseconds until an answer. */
export async function startEventSink(delay: () => number): Promise<EventSink> {
  const events: SunkEvent[] = [];
  const server = createServer(async (request, response) => {
    try {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const body = JSON.parse(text) as Omit<SunkEvent, 'id'>;
      await new Promise((resolve) => setTimeout(resolve, delay()));
      // The sender is gone, so this event counts as not delivered.
      if (response.destroyed) return;
      events.push({ ...body, id: String(request.headers['webhook-id']) });
      response.writeHead(204).end();
    } catch {
      // The sender was killed before it had sent everything.
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    events,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
