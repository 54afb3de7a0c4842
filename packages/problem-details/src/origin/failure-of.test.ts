import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { failureOf } from './failure-of.ts';
import { originFailures } from './failure.ts';

interface Recorded {
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
  readonly syscall?: string;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

const error = ({ message = '', ...members }: Recorded): Error => Object.assign(new Error(message), members);
const failed = (cause: Recorded): Error => new TypeError('fetch failed', { cause: error(cause) });
const sending = (step: string, why: string): Error =>
  failed({ message: `error sending request for url (http://10.0.0.1/): client error (${step}): ${why}` });
const connecting = (why: string): Error => sending('Connect', why);

/** Errors that the runtimes threw on Linux: Node 24.21, Deno 2.9.6, Bun 1.4.5, workerd 1.20260730. */
const recorded: readonly [what: string, thrown: unknown, code: number][] = [
  ['ERR-132 Node: getaddrinfo', failed({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }), 1016],
  ['ERR-132 Node: resolver away', failed({ code: 'EAI_AGAIN', syscall: 'getaddrinfo' }), 1016],
  ['ERR-132 Deno', connecting('dns error: failed to lookup address information: Name or service not known'), 1016],
  ['ERR-132 Bun', error({ code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND x.invalid' }), 1016],
  ['ERR-133 Node', failed({ code: 'ECONNREFUSED', syscall: 'connect' }), 521],
  [
    'ERR-133 Node: several addresses',
    failed({
      code: 'ENETUNREACH',
      errors: [error({ code: 'ENETUNREACH' }), error({ code: 'ECONNREFUSED' }), error({ code: 'ETIMEDOUT' })],
    }),
    521,
  ],
  ['ERR-133 Deno', connecting('tcp connect error: Connection refused (os error 111)'), 521],
  ['ERR-133 Deno on macOS', connecting('tcp connect error: Connection refused (os error 61)'), 521],
  ['ERR-133 Deno on Windows', connecting('tcp connect error: No connection could be made (os error 10061)'), 521],
  ['ERR-133 Bun', error({ code: 'ECONNREFUSED', message: 'ECONNREFUSED: Unable to connect.' }), 521],
  ['ERR-133 Bun, older', error({ code: 'ConnectionRefused' }), 521],
  ['ERR-134 Node: its own limit', failed({ name: 'ConnectTimeoutError', code: 'UND_ERR_CONNECT_TIMEOUT' }), 522],
  ['ERR-134 Node: the limit of the system', failed({ code: 'ETIMEDOUT', syscall: 'connect' }), 522],
  ['ERR-134 Deno', connecting('tcp connect error: Connection timed out (os error 110)'), 522],
  ['ERR-134 Bun', error({ code: 'ETIMEDOUT', message: 'ETIMEDOUT: Unable to connect.' }), 522],
  ['ERR-135 Node: host', failed({ code: 'EHOSTUNREACH', syscall: 'connect' }), 523],
  ['ERR-135 Node: network', failed({ code: 'ENETUNREACH', syscall: 'connect' }), 523],
  ['ERR-135 Deno: host', connecting('tcp connect error: No route to host (os error 113)'), 523],
  ['ERR-135 Deno: network', connecting('tcp connect error: Network is unreachable (os error 101)'), 523],
  ['ERR-135 Bun: host', error({ code: 'EHOSTUNREACH', message: 'EHOSTUNREACH: Was there a typo in the url?' }), 523],
  ['ERR-135 Bun: network', error({ code: 'ENETUNREACH' }), 523],
  ['ERR-136 Node: a limit of its dispatcher', failed({ code: 'UND_ERR_HEADERS_TIMEOUT' }), 524],
  ['ERR-137 Node: no TLS', failed({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }), 525],
  ['ERR-137 Node: wants a certificate', failed({ code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }), 525],
  [
    'ERR-137 Node: hung up in the handshake',
    failed({
      code: 'ECONNRESET',
      message: 'Client network socket disconnected before secure TLS connection was established',
    }),
    525,
  ],
  ['ERR-137 Deno: no TLS', connecting('received corrupt message of type InvalidContentType'), 525],
  ['ERR-137 Deno: alert', connecting('received fatal alert: HandshakeFailure'), 525],
  ['ERR-137 Deno: nothing in common', connecting('peer is incompatible: NoCipherSuitesInCommon'), 525],
  ['ERR-137 Deno: hung up in the handshake', connecting('tls handshake eof'), 525],
  ['ERR-137 Deno: reset in the handshake', connecting('Connection reset by peer (os error 104)'), 525],
  ['ERR-137 Bun', error({ code: 'EPROTO', message: 'EPROTO: The TLS handshake failed.' }), 525],
  ['ERR-138 Node: nobody knows who signed', failed({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), 526],
  ['ERR-138 Node: another name', failed({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }), 526],
  ['ERR-138 Node: expired', failed({ code: 'CERT_HAS_EXPIRED' }), 526],
  ['ERR-138 Node: weak signature', failed({ code: 'UNSPECIFIED' }), 526],
  ['ERR-138 Deno', connecting('invalid peer certificate: UnknownIssuer'), 526],
  [
    'ERR-138 Deno: names that look like another error',
    connecting('invalid peer certificate: certificate not valid for name "a"; only for b (os error 111)'),
    526,
  ],
  ['ERR-138 Bun', error({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: 'self signed certificate' }), 526],
  ['ERR-138 Bun: not in the names that the signer may sign', error({ code: 'PERMITTED_VIOLATION' }), 526],
  ['ERR-139 Node: reset', failed({ code: 'ECONNRESET', syscall: 'read' }), 520],
  ['ERR-139 Node: given up by the system', failed({ code: 'ETIMEDOUT', syscall: 'read' }), 520],
  ['ERR-139 Node: empty reply', failed({ name: 'SocketError', code: 'UND_ERR_SOCKET' }), 520],
  ['ERR-139 Node: no HTTP', failed({ name: 'HTTPParserError' }), 520],
  ['ERR-139 Node: headers too long', failed({ code: 'UND_ERR_HEADERS_OVERFLOW' }), 520],
  ['ERR-139 Deno: reset', failed({ message: 'Connection reset by peer (os error 104)' }), 520],
  ['ERR-139 Deno: reset at once', connecting('tcp connect error: Connection reset by peer (os error 104)'), 520],
  ['ERR-139 Deno: empty reply', sending('SendRequest', 'connection closed before message completed'), 520],
  ['ERR-139 Deno: no HTTP', sending('SendRequest', 'invalid HTTP version parsed'), 520],
  ['ERR-139 Bun: reset or empty reply', error({ code: 'ECONNRESET' }), 520],
  ['ERR-139 Bun: no HTTP', error({ code: 'Malformed_HTTP_Response' }), 520],
  ['ERR-140 workerd: refused, reset, empty, no route', error({ message: 'Network connection lost.' }), 502],
  ['ERR-140 workerd: name, TLS, certificate, no HTTP', error({ message: 'internal error; reference = hvh8m' }), 502],
  ['ERR-140 Node: forbidden by a firewall', failed({ code: 'EACCES', syscall: 'connect' }), 502],
  ['ERR-140 Deno: forbidden by a firewall', connecting('tcp connect error: Permission denied (os error 13)'), 502],
  ['ERR-140 Deno: body of the request', sending('SendRequest', "error from user's Body stream"), 502],
  ['ERR-140 Bun, older: one code for much', error({ code: 'FailedToOpenSocket' }), 502],
  ['ERR-140 a browser', new TypeError('Failed to fetch'), 502],
];

describe('failureOf', () => {
  it.each(recorded)('%s', (_, thrown, code) => {
    expect(failureOf(thrown)).toBe(code);
  });

  it('ERR-132 to ERR-140: knows every failure', () => {
    expect(new Set(recorded.map(([, , code]) => code))).toEqual(new Set(originFailures));
  });

  it('is not misled by a URL with the words of another error', () => {
    const url = encodeURI('http://10.0.0.1/?: client error (Connect): dns error (os error 111)');
    const message = `error sending request for url (${url}): client error (Connect): invalid peer certificate: Expired`;
    expect(failureOf(failed({ message }))).toBe(526);
  });

  it('reports the address that got furthest', () => {
    const codes = ['ENETUNREACH', 'ETIMEDOUT', 'CERT_HAS_EXPIRED', 'ECONNREFUSED'];
    expect(failureOf(failed({ errors: codes.map((code) => error({ code })) }))).toBe(526);
    expect(failureOf(failed({ errors: [], code: 'ECONNREFUSED' }))).toBe(521);
    expect(failureOf(failed({ errors: ['?'], code: 'ECONNREFUSED' }))).toBe(521);
  });

  it('ends for circular causes', () => {
    const round = new Error('round');
    round.cause = round;
    expect(failureOf(round)).toBe(502);
    expect(failureOf(Object.assign(new Error('round'), { errors: [round] }))).toBe(502);
  });

  const any = fc.anything({ withNullPrototype: true });
  const errorLike = fc.dictionary(
    fc.constantFrom('name', 'message', 'code', 'syscall', 'cause', 'errors'),
    fc.oneof(any, fc.constantFrom('ECONNRESET', 'ETIMEDOUT')),
  );
  test.prop([fc.oneof(any, errorLike)])('ERR-140: has a code for anything', (thrown) => {
    expect(originFailures).toContain(failureOf(thrown));
  });
});
