/** Maximum characters of a host name (ERR-153). */
const longest = 253;

/** Maximum characters to read. A name in its international form may be longer than in ASCII. */
const longestRead = 2048;

/** Name or address, and the port. */
const hostForm = /^(\[[0-9a-f:.]+\]|[^:[\]]*)(?::\d*)?$/i;

const asciiName = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

/** A name with characters beyond ASCII, but without ASCII that would end a host or be decoded in a URL. */
const internationalName = /^(?=.*[^\0-\x7F])[\w.\-\u0080-\u{10FFFF}]+$/u;

/**
 * Returns the `zone` of a problem: the host name of a request in lower case, without port and final dot, with
 * international names in ASCII (ERR-088). Returns an empty text if it is not a host name (ERR-089).
 *
 * @param host value of `Host` or `:authority`, or the host of the request URL.
 */
export function zoneOf(host: string | null | undefined): string {
  if (host === null || host === undefined || host.length > longestRead) return '';
  const name = hostForm.exec(host)?.[1] ?? '';
  const zone = withoutFinalDot(normalHost(name));
  return zone.length <= longest && (zone.startsWith('[') || asciiName.test(zone)) ? zone : '';
}

function normalHost(name: string): string {
  if (name.startsWith('[')) return hostOfUrl(name);
  return internationalName.test(name) ? hostOfUrl(utf8Of(name)) : name.toLowerCase();
}

/**
 * Normalises a host as in a URL: ASCII, lower case, IPv6 addresses shortened. Returns an empty text if it is invalid.
 */
function hostOfUrl(host: string): string {
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return '';
  }
}

/** Decodes a name as UTF-8, since header values have one character per byte. */
function utf8Of(name: string): string {
  if (/[^\0-\xFF]/.test(name)) return name;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(name, (byte) => byte.charCodeAt(0)));
  } catch {
    return name;
  }
}

function withoutFinalDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
