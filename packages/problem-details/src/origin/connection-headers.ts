/**
 * Headers between two neighbours (RFC 9110 §7.6.1); `Expect`, which the server before us has answered; and `Host`, which
 * the next URL says, but which Bun would send as it came.
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
 * Drops from the headers of a request what is about the connection that it came by, as an intermediary has to; the
 * `fetch` of Node refuses a request that has it. What asks to change protocols is left to the runtime.
 */
export function dropConnectionHeaders(headers: Headers): void {
  const isUpgrade = headers.has('upgrade');
  const named = headers.get('connection')?.split(',') ?? [];
  for (const name of [...named.map((one) => one.trim().toLowerCase()), ...ofConnection]) {
    const isName = /^[!#$%&'*+.^_`|~\w-]+$/.test(name);
    if (isName && !(isUpgrade && (name === 'upgrade' || name === 'connection'))) headers.delete(name);
  }
}
