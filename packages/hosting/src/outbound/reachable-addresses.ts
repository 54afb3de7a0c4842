/** Why a URL is not sent to. The message says so, without the URL. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  /** `not public`: by the rule of REPO-129; `no address`: the name leads nowhere. */
  readonly reason: 'not public' | 'no address';

  constructor(reason: UnreachableError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * The addresses that a request to this URL may go to (REPO-129): public ones alone, looked up anew for each request, so
 * that a name cannot lead elsewhere once it was checked. Undefined: the host is exempt, and goes wherever its name leads.
 *
 * @param allowed hosts that are exempt: names or addresses without a port, of IPv6 with or without brackets.
 * @throws {UnreachableError}
 * @throws what `lookup` does.
 */
export async function reachableAddresses(
  lookup: (host: string) => Promise<readonly string[]>,
  { hostname }: URL,
  allowed: readonly string[],
): Promise<readonly string[] | undefined> {
  if (isExempt(hostname, allowed)) return undefined;
  const host = withoutBrackets(hostname);
  const isLiteral = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  const addresses = isLiteral ? [host] : await lookup(host);
  if (addresses.length === 0) throw new UnreachableError('no address', 'the host has no address');
  // Loaded here, so that mocks in a browser, which reach nobody, go without the library of address ranges.
  const { isPublicAddress } = await import('./public-address.ts');
  if (!addresses.every(isPublicAddress)) {
    throw new UnreachableError('not public', 'the host has an address that is not public');
  }
  return addresses;
}

/** Whether such a list names a host, as `URL.hostname` gives it. */
export function isExempt(hostname: string, allowed: readonly string[]): boolean {
  const host = withoutBrackets(hostname);
  return allowed.some((one) => withoutBrackets(one.toLowerCase()) === host);
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
