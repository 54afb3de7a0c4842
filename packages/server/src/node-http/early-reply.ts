import type { IncomingMessage } from 'node:http';
import { lingerDefaults, type LingerLimits } from '../http/linger-limits.ts';

/**
 * Takes in and drops what the client still sends after an early reply, within limits. Closing at once would make the
 * kernel answer the unread bytes with a reset, which can erase the reply before the client has read it
 * (RFC 9112 §9.6). Resolves when the body has ended, the client has gone, or a limit is reached.
 */
export async function lingerOver(incoming: IncomingMessage, limits: LingerLimits = {}): Promise<void> {
  if (incoming.complete || incoming.destroyed) return;
  const { bytes: maxBytes, total, idle } = { ...lingerDefaults, ...limits };
  await new Promise<void>((resolve) => {
    let bytes = 0;
    const settle = (): void => {
      clearTimeout(totalTimer);
      clearTimeout(idleTimer);
      incoming.off('data', onData);
      for (const event of ['end', 'close', 'error']) incoming.off(event, settle);
      resolve();
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.byteLength;
      idleTimer.refresh();
      if (bytes > maxBytes) settle();
    };
    const totalTimer = setTimeout(settle, total);
    const idleTimer = setTimeout(settle, idle);
    incoming.on('data', onData);
    for (const event of ['end', 'close', 'error']) incoming.once(event, settle);
    incoming.resume();
  });
}

/** Bytes and milliseconds that the server waits for the end of a request body before it writes the reply. */
const endWait: LingerLimits = { bytes: 65_536, total: 1_000, idle: 1_000 };

/**
 * Waits a bounded time for the end of a body that the handler has left (GIT-035). The last chunk of a chunked request
 * often arrives a moment after its flush packet: a reply before it would cost the client its connection.
 */
export async function waitForEnd(incoming: IncomingMessage, received: number): Promise<void> {
  const length = incoming.headers['content-length'];
  if (length !== undefined && Number(length) - received > (endWait.bytes ?? 0)) return;
  await lingerOver(incoming, endWait);
  // The rest waits for the end of the reply.
  if (!incoming.complete) incoming.pause();
}
