/** Hash of the page's `style` element (CSP Level 3 §2.3.1). A test recomputes it. */
const styleHash = 'F2QxxtqNVV2xorM+k28CCOdHHOhQyJOxGz7rI4MNHug=';

/**
 * `Content-Security-Policy` of the HTML page (ERR-070): it forbids to load or run anything, and allows only the page's
 * own style.
 */
export const contentSecurityPolicy: string = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`;
