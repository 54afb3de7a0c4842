/**
 * Checks whether a host name, as `URL.hostname` gives it, is this machine: 127.0.0.0/8 (RFC 1122 §3.2.1.3), `::1`
 * (RFC 4291 §2.5.3), `localhost` and names below it (RFC 6761 §6.3).
 *
 * `subdomains: false` leaves out the names below `localhost`: some resolvers ask the network for them, so that a secret
 * must not follow them. Default true.
 */
export function isLoopback(hostname: string, { subdomains = true }: { readonly subdomains?: boolean } = {}): boolean {
  return (
    /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)$/.test(hostname) || (subdomains && hostname.endsWith('.localhost'))
  );
}
