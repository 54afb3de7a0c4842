/**
 * Checks whether a host name, in the form of `URL.hostname`, is this machine: 127.0.0.0/8 (RFC 1122 §3.2.1.3), `::1`
 * (RFC 4291 §2.5.3), `localhost` and names below it (RFC 6761 §6.3).
 *
 * `subdomains: false` excludes the names below `localhost`. Some resolvers ask the network for them, so that no secret
 * may be sent there. Default: true.
 */
export function isLoopback(hostname: string, { subdomains = true }: { readonly subdomains?: boolean } = {}): boolean {
  return (
    /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)$/.test(hostname) || (subdomains && hostname.endsWith('.localhost'))
  );
}
