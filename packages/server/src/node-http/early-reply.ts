import type { IncomingMessage } from 'node:http';
import { lingerDefaults, type LingerLimits } from '../http/linger-limits.ts';

/**
 * Reads and drops the rest of a request body after an early reply, within limits. If we closed at once, the kernel
 * would answer the unread bytes with a reset. A reset can erase the reply before the client has read it (RFC 9112
 * §9.6). Resolves when the body has ended, the client has disconnected, or a limit is reached.
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

/** Limits on the wait for the end of a request body before the server writes the reply. */
const endWait: LingerLimits = { bytes: 65_536, total: 1_000, idle: 1_000 };

/**
 * Waits a bounded time for the end of a body that the handler no longer reads (GIT-035). The last chunk of a chunked
 * request often arrives a moment after its flush packet. A reply before that chunk would cost the client its
 * connection.
 */
export async function waitForEnd(incoming: IncomingMessage, received: number): Promise<void> {
  const length = incoming.headers['content-length'];
  if (length !== undefined && Number(length) - received > (endWait.bytes ?? 0)) return;
  await lingerOver(incoming, endWait);
  // The rest stays unread until the reply has been written.
  if (!incoming.complete) incoming.pause();
}
