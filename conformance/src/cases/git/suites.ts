import type { Suite } from '../../core/case.ts';
import { gitAdvertisementCapabilities } from './advertisement/capabilities.ts';
import { gitAdvertisementLists } from './advertisement/lists.ts';
import { gitAdvertisementOffers } from './advertisement/offers.ts';
import { gitAdvertisementRefusals } from './advertisement/refusals.ts';
import { gitClientsCredentials } from './clients/credentials.ts';
import { gitClientsFilters } from './clients/filters.ts';
import { gitClientsGit } from './clients/git.ts';
import { gitClientsIsomorphicGit } from './clients/isomorphic-git.ts';
import { gitClientsIsomorphicGitShallow } from './clients/isomorphic-git-shallow.ts';
import { gitClientsOthers } from './clients/others.ts';
import { gitClientsPushes } from './clients/pushes.ts';
import { gitClientsShallow } from './clients/shallow.ts';
import { gitClientsVersion2 } from './clients/version-2.ts';
import { gitCommands } from './commands/commands.ts';
import { gitCommandsFeatures } from './commands/features.ts';
import { gitCommandsFetch } from './commands/fetch.ts';
import { gitCredentials } from './http/credentials.ts';
import { gitCredentialsScopes } from './http/credentials-scopes.ts';
import { gitExistingClones } from './existing/clones.ts';
import { gitExistingLists } from './existing/lists.ts';
import { gitHead } from './refs/head.ts';
import { gitHiddenRefs } from './refs/hidden-refs.ts';
import { gitHttpBodies } from './http/bodies.ts';
import { gitHttpCors } from './http/cors.ts';
import { gitHttpReplies } from './http/replies.ts';
import { gitHttpRoutes } from './http/routes.ts';
import { gitHttpVersions } from './http/versions.ts';
import { gitRecorded } from './recorded/recorded.ts';
import { gitRefsNames } from './refs/names.ts';
import { gitRefsPolicies } from './refs/policies.ts';
import { gitRefsUpdates } from './refs/updates.ts';
import { gitRegressions } from './regressions.ts';
import { gitTransactions } from './refs/transactions.ts';
import { gitTransactionsIsolation } from './refs/transactions-isolation.ts';

/** Cases of Git over HTTP: requests, credentials, advertisements, refs and clients. */
export const git: Suite = [
  ...gitHttpRoutes,
  ...gitHttpBodies,
  ...gitHttpReplies,
  ...gitHttpVersions,
  ...gitHttpCors,
  ...gitCredentials,
  ...gitCredentialsScopes,
  ...gitAdvertisementLists,
  ...gitAdvertisementCapabilities,
  ...gitAdvertisementOffers,
  ...gitAdvertisementRefusals,
  ...gitCommands,
  ...gitCommandsFetch,
  ...gitCommandsFeatures,
  ...gitHead,
  ...gitRefsNames,
  ...gitRefsUpdates,
  ...gitRefsPolicies,
  ...gitHiddenRefs,
  ...gitTransactions,
  ...gitTransactionsIsolation,
  ...gitRegressions,
  ...gitRecorded,
  ...gitClientsGit,
  ...gitClientsPushes,
  ...gitClientsCredentials,
  ...gitClientsShallow,
  ...gitClientsFilters,
  ...gitClientsVersion2,
  ...gitClientsOthers,
  ...gitClientsIsomorphicGit,
  ...gitClientsIsomorphicGitShallow,
  ...gitExistingLists,
  ...gitExistingClones,
];
