import { cloudflare as errors } from '@packhouse/problem-details';
import type { Dialect } from './dialect.ts';

/** The wire constants of the public service, so that its existing clients work unchanged (REPO-012 to REPO-025). */
export const cloudflare: Dialect = {
  name: 'cloudflare',
  basePath: '/client/v4',
  serviceSegment: 'artifacts',
  permissions: { read: 'Artifacts Read', edit: 'Artifacts Edit' },
  requestIdHeader: 'cf-ray',
  errorDocumentation: 'https://developers.cloudflare.com/artifacts/api/errors#{code}',
  linksTagErrors: false,
  pages: false,
  forkSourcePrefix: 'artifacts:',
  eventTypePrefix: 'cf.artifacts.repo.',
  eventSources: { account: 'artifacts', repo: 'artifacts.repo' },
  tokenPrefix: 'art_v2_x_',
  explainsForeignTokens: false,
  realm: 'artifacts',
  agent: 'gitty/1.0',
  remoteTemplate: 'https://{account_id}.{git_host}/git/{namespace}/{repo}.git',
  loopbackRemoteTemplate: '{git_origin}/git/{account_id}/{namespace}/{repo}.git',
  suffixOptional: false,
  refusesUnresolvedLog: false,
  bindingKey: 'artifacts',
  bindingErrorName: 'ArtifactsError',
  errors,
};
