/** Characters of a host name (ERR-153). */
const longest = 253;

/** A host in international form may be longer than its ASCII form, but not without end. */
const longestRead = 2048;

const name = /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

/**
 * The `zone` of a problem: the host name of a request in lower case, without port and final dot, international names in
 * their ASCII form (ERR-088), or an empty text if it is no host name (ERR-089).
 *
 * @param host Value of `Host` or `:authority`, or the host of the request's URL.
 */
export function zoneOf(host: string | null | undefined): string {
  if (host === null || host === undefined || host.length > longestRead) return '';
  const parts = /^(\[[0-9a-f:.]+\]|[^:[\]]*)(?::\d*)?$/i.exec(host);
  if (parts === null) return '';
  let zone = (parts[1] ?? '').replace(/\.$/, '');
  // Only what no URL gives a meaning of its own may stand beside international characters.
  if (zone.startsWith('[') || (/[^ -~]/.test(zone) && !/[\0-,/:-@[-^`{-\x7F]/.test(zone))) zone = inAscii(zone);
  zone = zone.toLowerCase();
  return zone.length <= longest && (zone.startsWith('[') || name.test(zone)) ? zone : '';
}

function inAscii(host: string): string {
  try {
    return new URL(`http://${host}/`).hostname.replace(/\.$/, '');
  } catch {
    return '';
  }
}
