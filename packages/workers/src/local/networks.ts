import * as tls from 'node:tls';

/** A network of workerd, as miniflare takes it. */
interface Network {
  readonly network: {
    readonly allow: string[];
    readonly tlsOptions: { readonly trustBrowserCas: boolean; readonly trustedCertificates: string[] };
  };
}

/**
 * Which addresses `fetch` reaches: public ones alone, as on the platform, checked as it connects, so that no name leads
 * inside by being looked up twice (REPO-129). The others are behind a binding, for hosts in `import_allow`.
 *
 * @param authorities PEM of what is trusted beside the usual ones.
 */
export function networks(authorities: readonly string[]): { readonly outbound: Network; readonly inside: Network } {
  // What this process trusts by `NODE_EXTRA_CA_CERTS`, as in miniflare's own network. Node 22.13 cannot tell.
  const extra = 'getCACertificates' in tls ? tls.getCACertificates('extra') : [];
  const tlsOptions = { trustBrowserCas: true, trustedCertificates: [...extra, ...authorities] };
  const to = (...allow: string[]): Network => ({ network: { allow, tlsOptions } });
  return { outbound: to('public'), inside: to('public', 'private') };
}
