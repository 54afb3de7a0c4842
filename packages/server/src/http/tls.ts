import { createPrivateKey, X509Certificate } from 'node:crypto';
import { StartError } from '../start-error.ts';
import type { Tls } from './sockets.ts';

/**
 * Answers what `make` makes of a certificate and its key.
 *
 * @throws {StartError} kind `tls` if they are none, or do not belong together.
 */
export function withTls<T>(tls: Tls, make: (pair: { readonly cert: string; readonly key: string }) => T): T {
  try {
    const cert = Buffer.from(tls.cert);
    const key = Buffer.from(tls.key);
    // Servers take files that hold neither, and would then have nothing to show to any client.
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) throw new Error('not of one pair');
    return make({ cert: cert.toString(), key: key.toString() });
  } catch (error) {
    if (error instanceof StartError) throw error;
    // The library's own texts ("PEM routines::no start line") help nobody; its code is kept as the cause.
    throw new StartError(
      'tls',
      'The TLS certificate and key cannot be used.',
      'Give a PEM certificate (with its chain) and the unencrypted PEM key that belongs to it.',
      { cause: error },
    );
  }
}
