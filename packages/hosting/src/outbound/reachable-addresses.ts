import { isLoopback } from './loopback.ts';

/** A request may not go to a URL. The message says why, without the URL. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  /** `not public`: REPO-129 forbids an address of the host. `no address`: the name has no address. */
  readonly reason: 'not public' | 'no address';

  constructor(reason: UnreachableError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Resolves the addresses that a request to this URL may use (REPO-129), all of them public. The caller must
 * call this for each request, and connect only to the result, so that a changed name cannot bypass the check. Returns
 * undefined if the host is exempt, and may have any address.
 *
 * @param allowed exempt hosts: names or addresses without a port, IPv6 with or without brackets.
 * @throws {UnreachableError} if the host has no address, or one that is not public.
 * @throws the errors of `lookup`.
 */
export async function reachableAddresses(
  lookup: (host: string) => Promise<readonly string[]>,
  { hostname }: URL,
  allowed: readonly string[],
): Promise<readonly string[] | undefined> {
  if (isExempt(hostname, allowed)) return undefined;
  const host = withoutBrackets(hostname);
  const addresses = isLiteral(hostname) ? [host] : await lookup(host);
  if (addresses.length === 0) throw new UnreachableError('no address', 'the host has no address');
  if (!(await arePublic(addresses))) {
    throw new UnreachableError('not public', 'the host has an address that is not public');
  }
  return addresses;
}

/** Checks whether a URL itself names this machine or an address that is not public, without a look-up (REPO-383). */
export async function namesPrivateHost({ hostname }: URL, allowed: readonly string[]): Promise<boolean> {
  if (isExempt(hostname, allowed)) return false;
  // `localhost.` is the same name.
  return (
    isLoopback(hostname.replace(/\.$/, '')) || (isLiteral(hostname) && !(await arePublic([withoutBrackets(hostname)])))
  );
}

/** Checks whether a list of exempt hosts has this host, in the form of `URL.hostname`. */
export function isExempt(hostname: string, allowed: readonly string[]): boolean {
  const host = withoutBrackets(hostname);
  return allowed.some((one) => withoutBrackets(one.toLowerCase()) === host);
}

function isLiteral(hostname: string): boolean {
  return hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
}

async function arePublic(addresses: readonly string[]): Promise<boolean> {
  // Loaded here, since mocks in a browser send no requests and should not load the library of address ranges.
  const { isPublicAddress } = await import('./public-address.ts');
  return addresses.every(isPublicAddress);
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
