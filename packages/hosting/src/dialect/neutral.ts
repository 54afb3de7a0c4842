import { neutral as errors } from '@packhouse/problem-details';
import type { Dialect } from './dialect.ts';

/** The dialect without any platform's name (REPO-003); the default (REPO-001). */
export const neutral: Dialect = {
  name: 'neutral',
  basePath: '/v4',
  serviceSegment: 'repos',
  permissions: { read: 'Repos Read', edit: 'Repos Edit' },
  requestIdHeader: 'x-ray-id',
  errorDocumentation: '{docs_base}/repos/errors#{code}',
  linksTagErrors: true,
  pages: true,
  forkSourcePrefix: 'repos:',
  eventTypePrefix: 'repos.repo.',
  eventSources: { account: 'repos', repo: 'repos.repo' },
  tokenPrefix: 'rht_v1_',
  explainsForeignTokens: true,
  realm: 'repos',
  agent: 'packhouse/{version}',
  remoteTemplate: '{git_origin}/git/{account_id}/{namespace}/{repo}.git',
  loopbackRemoteTemplate: '{git_origin}/git/{account_id}/{namespace}/{repo}.git',
  suffixOptional: true,
  refusesUnresolvedLog: true,
  bindingKey: 'repos',
  bindingErrorName: 'RepoError',
  errors,
};
