import * as tls from 'node:tls';

/** A network of workerd, in the form of miniflare's options. */
interface Network {
  readonly network: {
    readonly allow: string[];
    readonly tlsOptions: { readonly trustBrowserCas: boolean; readonly trustedCertificates: string[] };
  };
}

/**
 * Makes the networks of `fetch` and of the binding `INSIDE`. `fetch` reaches only public addresses, as on the platform.
 * workerd checks the address as it connects, so a second lookup of a name cannot lead inside (REPO-129). `INSIDE` also
 * reaches private addresses, for hosts in `import_allow`.
 *
 * @param authorities PEM certificates to trust in addition to the usual ones.
 */
export function networks(authorities: readonly string[]): { readonly outbound: Network; readonly inside: Network } {
  // The certificates of `NODE_EXTRA_CA_CERTS`, as in miniflare's own network. Node 22.13 cannot list them.
  const extra = 'getCACertificates' in tls ? tls.getCACertificates('extra') : [];
  const tlsOptions = { trustBrowserCas: true, trustedCertificates: [...extra, ...authorities] };
  const to = (...allow: string[]): Network => ({ network: { allow, tlsOptions } });
  return { outbound: to('public'), inside: to('public', 'private') };
}
