/** Characters of a host name (ERR-153). */
const longest = 253;

/** Characters of what is read. A name in its international form may be longer than in ASCII, but not without end. */
const longestRead = 2048;

/** Name or address, and the port. */
const hostForm = /^(\[[0-9a-f:.]+\]|[^:[\]]*)(?::\d*)?$/i;

const asciiName = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

/** A name with characters beyond ASCII, and nothing of ASCII that would end a host or be decoded in a URL. */
const internationalName = /^(?=.*[^\0-\x7F])[\w.\-\u0080-\u{10FFFF}]+$/u;

/**
 * The `zone` of a problem: the host name of a request in lower case, without port and final dot, international names in
 * their ASCII form (ERR-088), or an empty text if it is no host name (ERR-089).
 *
 * @param host Value of `Host` or `:authority`, or the host of the request's URL.
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

/** What URLs have for this host: ASCII, lower case, an IPv6 address in its short form. Empty if they cannot have it. */
function hostOfUrl(host: string): string {
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return '';
  }
}

/** Header values come as one character a byte: a name in UTF-8 is read as such. */
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
