import type { CoveredDocument } from './elsewhere.ts';

const fault = 'what is unexpected does not come when asked';

export const repositories: CoveredDocument = {
  document: 'docs/specification/repositories.md',
  areas: ['REPO', 'TOKEN', 'LIM'],
  count: 278,
  elsewhere: [
    {
      id: 'REPO-217',
      why: 'tokens of the server are for accounts that it serves',
      file: 'packages/router/src/packhouse.test.ts',
    },
    {
      id: 'REPO-235',
      why: 'a client sees no reads of a database',
      file: 'packages/git/src/stored-refs/visible-refs.test.ts',
    },
    ...['LIM-030', 'LIM-031', 'LIM-032'].map((id) => ({
      id,
      why: 'it takes large files or long histories',
      file: 'packages/git/src/content/comparison.test.ts',
    })),
    {
      id: 'LIM-034',
      why: 'it takes large trees and files',
      file: 'packages/git/src/merge/merge-commits.test.ts',
    },
    {
      id: 'LIM-040',
      why: 'it takes many files',
      file: 'packages/git/src/commit/changed-paths.test.ts',
    },
    {
      id: 'LIM-035',
      why: 'it takes large files',
      file: 'packages/git/src/archive/archive-content.test.ts',
    },
    {
      id: 'LIM-037',
      why: 'it takes many files',
      file: 'packages/git/src/content/search/search-tree.test.ts',
    },
    { id: 'REPO-044', why: fault, file: 'packages/router/src/rest/requests.test.ts' },
    { id: 'REPO-172', why: fault, file: 'packages/router/src/rest/requests.test.ts' },
    {
      id: 'TOKEN-014',
      why: 'time tells nothing over a network',
      file: 'packages/hosting/src/contract/repo-state/tokens.ts',
    },
    { id: 'REPO-175', why: fault, file: 'packages/router/src/rest/requests.test.ts' },
    { id: 'REPO-176', why: fault, file: 'packages/router/src/rest/requests.test.ts' },
    { id: 'REPO-177', why: fault, file: 'packages/server/test/git/storage-gone.test.ts' },
    { id: 'REPO-178', why: fault, file: 'packages/server/test/git/storage-gone.test.ts' },
    { id: 'LIM-080', why: 'memory is looked at from outside', file: 'packages/cli/test/memory-limit.runtimes.test.ts' },
    { id: 'LIM-021', why: 'it takes many connections', file: 'packages/cli/test/descriptors.runtimes.test.ts' },
    { id: 'LIM-023', why: 'it depends on the runtime', file: 'packages/server/test/sockets/listener.test.ts' },
    { id: 'LIM-020', why: 'it takes a minute', file: 'packages/server/test/sockets/sockets-clients.test.ts' },
    {
      id: 'LIM-022',
      why: 'it takes a hundred imports that wait',
      file: 'packages/hosting/src/imports/imports.test.ts',
    },
  ],
};

/** The rows that all documents share. */
export const shared: CoveredDocument = {
  document: 'docs/specification/README.md',
  areas: ['REPO'],
  count: 31,
  elsewhere: [
    { id: 'REPO-002', why: 'it is all cases in both dialects', file: 'packages/workers/test/binding.runtimes.test.ts' },
    { id: 'REPO-004', why: 'only an app defines another dialect', file: 'packages/router/src/dialects.test.ts' },
    {
      id: 'REPO-010',
      why: 'it is all cases on each runtime',
      file: 'packages/cli/test/conformance/coverage.test.ts',
    },
    { id: 'REPO-014', why: 'who checks permissions is an app', file: 'packages/router/src/dialects.test.ts' },
    { id: 'REPO-018', why: 'events come to a sink', file: 'packages/server/test/events/rest-events.test.ts' },
    { id: 'REPO-019', why: 'events come to a sink', file: 'packages/server/test/events/rest-events.test.ts' },
    { id: 'REPO-024', why: 'it stands in the configuration', file: 'packages/server/src/config/bindings.test.ts' },
    { id: 'REPO-025', why: 'cases know it by its codes', file: 'packages/workers/test/binding.runtimes.test.ts' },
    { id: 'REPO-216', why: 'an app mounts the service', file: 'packages/router/src/mount.test.ts' },
    { id: 'REPO-028', why: 'it takes a change of dialect', file: 'packages/router/src/rest/tokens.test.ts' },
  ],
};
