/** Hash of the content of the page's `style` element (CSP Level 3 §2.3.1); a test computes it again. */
const styleHash = 'F2QxxtqNVV2xorM+k28CCOdHHOhQyJOxGz7rI4MNHug=';

/**
 * Value of `Content-Security-Policy` for the HTML page (ERR-070): nothing may be loaded or run, and no style but the
 * page's own applies.
 */
export const contentSecurityPolicy: string = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`;
