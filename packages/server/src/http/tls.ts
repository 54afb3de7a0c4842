import { createPrivateKey, X509Certificate } from 'node:crypto';
import { StartError } from '../start-error.ts';
import type { Tls } from './sockets.ts';

/**
 * Calls `make` with a certificate and its key, and returns its result.
 *
 * @throws {StartError} kind `tls` if either is not valid PEM, or the key does not belong to the certificate.
 */
export function withTls<T>(tls: Tls, make: (pair: { readonly cert: string; readonly key: string }) => T): T {
  try {
    const cert = Buffer.from(tls.cert);
    const key = Buffer.from(tls.key);
    // A server would accept files without a certificate or key, and then fail every handshake.
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) throw new Error('not of one pair');
    return make({ cert: cert.toString(), key: key.toString() });
  } catch (error) {
    if (error instanceof StartError) throw error;
    // The library's messages ("PEM routines::no start line") do not help an operator. The cause keeps its code.
    throw new StartError(
      'tls',
      'The TLS certificate and key cannot be used.',
      'Give a PEM certificate (with its chain) and the unencrypted PEM key that belongs to it.',
      { cause: error },
    );
  }
}
