import type { OriginFailure } from './failure.ts';

/**
 * Names of OpenSSL and BoringSSL for certificate faults. Bun uses these names; Node uses some of them, and
 * `UNSPECIFIED` for the others.
 */
const certificateFaults = [
  'CERT_CHAIN_TOO_LONG',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'CRL_HAS_EXPIRED',
  'CRL_NOT_YET_VALID',
  'CRL_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
  'ERROR_IN_CERT_NOT_BEFORE_FIELD',
  'ERROR_IN_CRL_LAST_UPDATE_FIELD',
  'ERROR_IN_CRL_NEXT_UPDATE_FIELD',
  'ERR_TLS_CERT_ALTNAME_FORMAT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'EXCLUDED_VIOLATION',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_EXTENSION',
  'INVALID_NON_CA',
  'INVALID_POLICY_EXTENSION',
  'INVALID_PURPOSE',
  'IP_ADDRESS_MISMATCH',
  'KEYUSAGE_NO_CERTSIGN',
  'NAME_CONSTRAINTS_WITHOUT_SANS',
  'NO_EXPLICIT_POLICY',
  'PATH_LENGTH_EXCEEDED',
  'PERMITTED_VIOLATION',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'SUBTREE_MINMAX',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_DECRYPT_CRL_SIGNATURE',
  'UNABLE_TO_GET_CRL',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNHANDLED_CRITICAL_EXTENSION',
  'UNKNOWN_CERTIFICATE_VERIFICATION_ERROR',
  'UNSPECIFIED',
  'UNSUPPORTED_CONSTRAINT_SYNTAX',
  'UNSUPPORTED_CONSTRAINT_TYPE',
  'UNSUPPORTED_EXTENSION_FEATURE',
  'UNSUPPORTED_NAME_SYNTAX',
] as const;

/** Failure by the `code` of an error: codes of libuv, undici (Node) and Bun. */
const byCode = new Map<string, OriginFailure>([
  ['ENOTFOUND', 1016],
  ['ECONNREFUSED', 521],
  ['ConnectionRefused', 521],
  ['ETIMEDOUT', 522],
  ['UND_ERR_CONNECT_TIMEOUT', 522],
  ['EHOSTUNREACH', 523],
  ['ENETUNREACH', 523],
  ['EHOSTDOWN', 523],
  ['ENETDOWN', 523],
  ['UND_ERR_HEADERS_TIMEOUT', 524],
  ['EPROTO', 525],
  ['ERR_TLS_HANDSHAKE_TIMEOUT', 525],
  ...certificateFaults.map((code) => [code, 526] as const),
  ['ECONNRESET', 520],
  ['ECONNABORTED', 520],
  ['EPIPE', 520],
  ['UND_ERR_SOCKET', 520],
  ['UND_ERR_HEADERS_OVERFLOW', 520],
  ['ConnectionClosed', 520],
  ['Malformed_HTTP_Response', 520],
]);

/** Failure by the prefix of a code: name lookup, TLS of OpenSSL, HTTP/2. */
const byBeginning: readonly (readonly [beginning: string, failure: OriginFailure])[] = [
  ['EAI_', 1016],
  ['ERR_SSL_', 525],
  ['ERR_HTTP2_', 520],
];

/** Node's message if the origin disconnects during the handshake; its code does not tell. */
const hungUpInHandshake = 'Client network socket disconnected before secure TLS connection was established';

/** Maps an error of Node or Bun by its code, and by other members where one code means two failures. */
export function failureOfCode(error: object): OriginFailure | undefined {
  const { name, code, syscall, message } = error as Readonly<Record<string, unknown>>;
  // An error of undici's parser, which lacks a code in some versions.
  if (name === 'HTTPParserError') return 520;
  if (typeof code !== 'string') return undefined;
  // The system gave up an established connection.
  if (code === 'ETIMEDOUT' && (syscall === 'read' || syscall === 'write')) return 520;
  if (code === 'ECONNRESET' && message === hungUpInHandshake) return 525;
  return byCode.get(code) ?? byBeginning.find(([beginning]) => code.startsWith(beginning))?.[1];
}
