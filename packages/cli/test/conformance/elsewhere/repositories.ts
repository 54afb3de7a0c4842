import type { CoveredDocument } from './elsewhere.ts';

const fault = 'no request can cause an unexpected error';
const ofOperators = 'it is for the operator of a server';
const ofReceivers = 'a service may not reach the receivers of a test';
const severalServers = 'a client sees one server';

export const repositories: CoveredDocument = {
  document: 'docs/specification/repositories.md',
  areas: ['REPO', 'TOKEN', 'LIM'],
  count: 344,
  elsewhere: [
    {
      id: 'REPO-217',
      why: 'tokens of the server are for accounts that it serves',
      file: 'packages/router/src/packhouse.test.ts',
    },
    {
      id: 'REPO-371',
      why: ofOperators,
      file: 'packages/router/src/rest/api-tokens.test.ts',
    },
    {
      id: 'LIM-095',
      why: 'other cases create API tokens of the account meanwhile',
      file: 'packages/router/src/rest/api-tokens.test.ts',
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
    ...['REPO-320', 'REPO-321'].map((id) => ({
      id,
      why: severalServers,
      file: 'packages/storage/src/postgres/repo-state/racing.runtimes.test.ts',
    })),
    { id: 'REPO-322', why: fault, file: 'packages/base/src/postgres/node-postgres.runtimes.test.ts' },
    { id: 'REPO-323', why: severalServers, file: 'packages/base/src/postgres/migrate.runtimes.test.ts' },
    { id: 'REPO-324', why: fault, file: 'packages/base/src/postgres/node-postgres.runtimes.test.ts' },
    ...['REPO-326', 'REPO-327'].map((id) => ({
      id,
      why: fault,
      file: 'packages/storage/test/s3-faults.runtimes.test.ts',
    })),
    ...['REPO-325', 'REPO-328'].map((id) => ({
      id,
      why: 'a client sees no bucket',
      file: 'packages/storage/test/s3.runtimes.test.ts',
    })),
    { id: 'REPO-329', why: 'a client sees no disk', file: 'packages/storage/src/cache/cached-bucket.test.ts' },
    { id: 'REPO-330', why: severalServers, file: 'packages/router/src/upkeep/leasing.test.ts' },
    { id: 'REPO-331', why: severalServers, file: 'packages/router/src/upkeep/leasing.test.ts' },
    {
      id: 'REPO-332',
      why: severalServers,
      file: 'packages/storage/src/postgres/servers/rates.runtimes.test.ts',
    },
    { id: 'REPO-333', why: severalServers, file: 'packages/router/src/upkeep/maintenance.test.ts' },
    { id: 'REPO-334', why: fault, file: 'packages/router/src/rest/requests.test.ts' },
    { id: 'REPO-335', why: fault, file: 'packages/cli/test/database-faults.runtimes.test.ts' },
    { id: 'REPO-336', why: severalServers, file: 'packages/cli/test/several-servers.runtimes.test.ts' },
    ...['REPO-375', 'REPO-376', 'REPO-377', 'REPO-378', 'REPO-380', 'REPO-381', 'REPO-382'].map((id) => ({
      id,
      why: ofReceivers,
      file: 'packages/server/test/events/webhooks.test.ts',
    })),
    ...['LIM-100', 'LIM-101', 'LIM-103'].map((id) => ({
      id,
      why: ofReceivers,
      file: 'packages/server/test/events/webhooks.test.ts',
    })),
    ...['REPO-379', 'LIM-102'].map((id) => ({
      id,
      why: 'it takes days, or 64 MiB of events',
      file: 'packages/hosting/src/contract/webhooks/webhooks.ts',
    })),
    {
      id: 'REPO-337',
      why: severalServers,
      file: 'packages/storage/src/postgres/database-storage.runtimes.test.ts',
    },
    { id: 'REPO-395', why: fault, file: 'packages/cli/test/database-faults.runtimes.test.ts' },
    { id: 'REPO-340', why: ofOperators, file: 'packages/server/test/http/metrics.test.ts' },
    { id: 'REPO-341', why: ofOperators, file: 'packages/server/test/http/metrics.test.ts' },
    { id: 'REPO-342', why: ofOperators, file: 'packages/server/test/http/metrics.test.ts' },
    { id: 'REPO-343', why: fault, file: 'packages/router/src/upkeep/readiness.test.ts' },
    { id: 'REPO-344', why: ofOperators, file: 'packages/cli/src/commands/renew-tls.test.ts' },
    { id: 'REPO-345', why: ofOperators, file: 'packages/server/test/http/tracing.test.ts' },
    { id: 'REPO-346', why: ofOperators, file: 'packages/server/test/http/tracing.test.ts' },
    { id: 'REPO-350', why: ofOperators, file: 'packages/cli/test/kill-backup.long.test.ts' },
    { id: 'REPO-351', why: ofOperators, file: 'packages/cli/test/commands/backup.long.test.ts' },
    { id: 'REPO-385', why: ofOperators, file: 'packages/cli/test/commands/migrate.runtimes.test.ts' },
    { id: 'REPO-386', why: ofOperators, file: 'packages/cli/test/commands/migrate.runtimes.test.ts' },
    { id: 'REPO-387', why: ofOperators, file: 'packages/cli/test/commands/migrate.runtimes.test.ts' },
    { id: 'REPO-388', why: ofOperators, file: 'packages/cli/test/commands/migrate.runtimes.test.ts' },
    { id: 'REPO-389', why: ofOperators, file: 'packages/cli/test/commands/migrate.runtimes.test.ts' },
    { id: 'REPO-390', why: ofOperators, file: 'packages/cli/test/commands/migrate.runtimes.test.ts' },
    { id: 'REPO-391', why: ofOperators, file: 'packages/cli/test/commands/migrate.runtimes.test.ts' },
    { id: 'REPO-392', why: ofOperators, file: 'packages/base/src/postgres/encrypted.runtimes.test.ts' },
    { id: 'LIM-080', why: 'memory is looked at from outside', file: 'packages/cli/test/memory-limit.runtimes.test.ts' },
    { id: 'LIM-021', why: 'it takes many connections', file: 'packages/cli/test/descriptors.runtimes.test.ts' },
    { id: 'LIM-023', why: 'it depends on the runtime', file: 'packages/server/test/sockets/listener.test.ts' },
    { id: 'LIM-020', why: 'it takes a minute', file: 'packages/server/test/sockets/sockets-clients.test.ts' },
    {
      id: 'LIM-022',
      why: 'it takes a hundred imports that wait',
      file: 'packages/hosting/src/imports/imports.test.ts',
    },
    {
      id: 'LIM-039',
      why: 'it takes a day',
      file: 'packages/hosting/src/contract/repo-state/commits.ts',
    },
    {
      id: 'REPO-171',
      why: 'a deletion is over before another request arrives',
      file: 'packages/router/src/rest/repos.test.ts',
    },
    {
      id: 'REPO-124',
      why: 'a client sees neither bytes nor packs',
      file: 'packages/git/src/fork/plan-fork.test.ts',
    },

    {
      inPart: true,
      id: 'LIM-014',
      why: 'it takes minutes',
      file: 'packages/git/src/fetch-client/import-remote.long.test.ts',
    },
    {
      inPart: true,
      id: 'LIM-026',
      why: 'it takes 64 MiB',
      file: 'packages/router/src/rest/requests.test.ts',
    },
    {
      inPart: true,
      id: 'LIM-038',
      why: 'it takes large files',
      file: 'packages/git/src/content/search/search-tree.test.ts',
    },
    {
      inPart: true,
      id: 'LIM-041',
      why: 'it takes 16 MiB',
      file: 'packages/router/src/rest/requests.test.ts',
    },
    {
      inPart: true,
      id: 'REPO-101',
      why: 'where bytes are stored is seen in storage alone',
      file: 'packages/workers/test/service.runtimes.test.ts',
    },
    {
      inPart: true,
      id: 'REPO-118',
      why: 'what is erased is seen in storage alone',
      file: 'packages/hosting/src/lifecycle/sweep.test.ts',
    },
    {
      inPart: true,
      id: 'REPO-129',
      why: 'it takes a resolver of names',
      file: 'packages/hosting/src/imports/guarded-fetch.test.ts',
    },
    {
      inPart: true,
      id: 'REPO-133',
      why: 'a client cannot kill the service',
      file: 'packages/cli/test/kill-import.long.test.ts',
    },
    {
      inPart: true,
      id: 'REPO-152',
      why: 'memory is looked at from outside',
      file: 'packages/server/test/http/content.long.test.ts',
    },
    {
      inPart: true,
      id: 'REPO-181',
      why: 'a deletion is over before another request arrives',
      file: 'packages/router/src/rest/repos.test.ts',
    },
    {
      inPart: true,
      id: 'REPO-190',
      why: 'a client cannot kill the service',
      file: 'packages/cli/test/kill-events.long.test.ts',
    },
    {
      inPart: true,
      id: 'REPO-201',
      why: 'it takes hours',
      file: 'packages/hosting/src/events/deliver-events.test.ts',
    },
    {
      inPart: true,
      id: 'REPO-238',
      why: 'a client cannot kill the service',
      file: 'packages/router/src/rest/updates.test.ts',
    },
    {
      inPart: true,
      id: 'REPO-239',
      why: 'no client can push a hidden ref',
      file: 'packages/hosting/src/contract/repo-state/lifecycle.ts',
    },
    {
      inPart: true,
      id: 'REPO-258',
      why: 'it takes the time until maintenance',
      file: 'packages/git/src/change/upload-blob.test.ts',
    },
    {
      inPart: true,
      id: 'TOKEN-003',
      why: 'what is stored is seen in storage alone',
      file: 'packages/hosting/src/contract/repo-state/tokens.ts',
    },
    {
      inPart: true,
      id: 'REPO-297',
      why: 'time tells nothing over a network',
      file: 'packages/hosting/src/content/regular-expression.test.ts',
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
    {
      id: 'REPO-014',
      why: 'only an app replaces the check of permissions',
      file: 'packages/router/src/dialects.test.ts',
    },
    { id: 'REPO-024', why: 'only the configuration has it', file: 'packages/server/src/config/bindings.test.ts' },
    { id: 'REPO-216', why: 'an app mounts the service', file: 'packages/router/src/mount.test.ts' },
    { id: 'REPO-028', why: 'it takes a change of dialect', file: 'packages/router/src/rest/tokens.test.ts' },

    {
      inPart: true,
      id: 'REPO-009',
      why: 'clients see no log',
      file: 'packages/cli/test/commands/serve.long.test.ts',
    },
    {
      inPart: true,
      id: 'REPO-026',
      why: 'a service that does not start answers nothing',
      file: 'packages/hosting/src/internal/remotes.test.ts',
    },
  ],
};
