/** The constants of a dialect that cases compare with (docs/specification/README.md, REPO-012 to REPO-025). */
export interface Dialect {
  readonly name: 'neutral' | 'cloudflare';
  readonly basePath: string;
  readonly serviceSegment: string;
  readonly requestIdHeader: string;
  readonly tokenPrefix: string;
  readonly realm: string;
  /** REPO-022, as a whole. */
  readonly agent: RegExp;
  readonly forkPrefix: string;
  /** REPO-016; `{docs_base}` in the neutral dialect is a setting of the deployment, so only its end is known. */
  readonly errorDocumentation: (code: number) => RegExp;
}

const neutral: Dialect = {
  name: 'neutral',
  basePath: '/v4',
  serviceSegment: 'repos',
  requestIdHeader: 'x-ray-id',
  tokenPrefix: 'rht_v1_',
  realm: 'repos',
  agent: /^packhouse\/\d+\.\d+\.\d+[!-~]*$/,
  forkPrefix: 'repos:',
  errorDocumentation: (code) => new RegExp(`^https?://[^ ]+/repos/errors#${code}$`),
};

const cloudflare: Dialect = {
  name: 'cloudflare',
  basePath: '/client/v4',
  serviceSegment: 'artifacts',
  requestIdHeader: 'cf-ray',
  tokenPrefix: 'art_v2_x_',
  realm: 'artifacts',
  agent: /^gitty\/1\.0$/,
  forkPrefix: 'artifacts:',
  errorDocumentation: (code) => new RegExp(`^https://developers\\.cloudflare\\.com/artifacts/api/errors#${code}$`),
};

/** The dialects a target may speak. */
export const dialects: Readonly<Record<Dialect['name'], Dialect>> = { neutral, cloudflare };
