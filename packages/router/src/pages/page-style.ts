import { pageStyle as errorPageStyle } from '@packhouse/problem-details';

/** The style sheet of error pages, with rules for links, code, lists and anchors. */
export const pageStyle = `${errorPageStyle}a{color:inherit;text-decoration-thickness:.0625em;text-underline-offset:.2em}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.9em}
pre{padding:1rem 1.25rem;border:1px solid var(--line);border-radius:.75rem;background:var(--panel);white-space:pre-wrap;line-height:1.5}
pre code{font-size:.875rem}
.text>p{max-inline-size:38rem}
li+li{margin-block-start:.25em}
section[id] h2{font-size:1.5rem;line-height:1.2;color:var(--ink);font-variant-numeric:lining-nums}
section:target h2{text-decoration:underline;text-decoration-thickness:.125em;text-underline-offset:.25em}
`;

/** SHA-256 of {@link pageStyle} (CSP Level 3 §2.3.1). A test checks it. */
const styleHash = 'fwnUYtEnZ7kUgIk80iF0khyOwyT7QwSMTf3dGb3t8YM=';

/** The `Content-Security-Policy` of these pages: the policy of error pages (ERR-070) with the hash of this style. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`;
