/**
 * Headers of a single connection (RFC 9110 §7.6.1), plus two more. The server before us has answered `Expect`. The next
 * URL implies `Host`, which Bun would otherwise send unchanged.
 */
const ofConnection = [
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
];

/**
 * Drops the headers about the connection of a request, as an intermediary must; Node's `fetch` refuses them. The
 * runtime handles requests to change the protocol.
 */
export function dropConnectionHeaders(headers: Headers): void {
  const isUpgrade = headers.has('upgrade');
  const named = headers.get('connection')?.split(',') ?? [];
  for (const name of [...named.map((one) => one.trim().toLowerCase()), ...ofConnection]) {
    const isName = /^[!#$%&'*+.^_`|~\w-]+$/.test(name);
    if (isName && !(isUpgrade && (name === 'upgrade' || name === 'connection'))) headers.delete(name);
  }
}
