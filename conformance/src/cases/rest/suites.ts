import type { Suite } from '../../core/case.ts';
import { accounts } from './accounts.ts';
import { bodies } from './bodies.ts';
import { checkOrder } from './check-order.ts';
import { contentBytes } from './content-bytes.ts';
import { contentFiles } from './content-files.ts';
import { contentLogs } from './content-logs.ts';
import { contentObjects } from './content-objects.ts';
import { contentRandom } from './content-random.ts';
import { contentVisibility } from './content-visibility.ts';
import { credentials } from './credentials.ts';
import { cursors } from './cursors.ts';
import { deletes } from './deletes.ts';
import { dialect } from './dialect.ts';
import { envelopes } from './envelopes.ts';
import { eventsOfPushes } from './events-of-pushes.ts';
import { events } from './events.ts';
import { fieldTexts } from './field-texts.ts';
import { forkContent } from './fork-content.ts';
import { forkIndependence } from './fork-independence.ts';
import { forkRequests } from './fork-requests.ts';
import { hostPaths } from './host-paths.ts';
import { importHistories } from './import-histories.ts';
import { importRefusals } from './import-refusals.ts';
import { importRemotes } from './import-remotes.ts';
import { junk } from './junk.ts';
import { lists } from './lists.ts';
import { names } from './names.ts';
import { namespaces } from './namespaces.ts';
import { pages } from './pages.ts';
import { permissions } from './permissions.ts';
import { races } from './races.ts';
import { rates } from './rates.ts';
import { repos } from './repos.ts';
import { requestIds } from './request-ids.ts';
import { routes } from './routes.ts';
import { tokenExpiry } from './token-expiry.ts';
import { tokenLists } from './token-lists.ts';
import { tokens } from './tokens.ts';

/** Every case of the control plane. */
export const rest: Suite = [
  ...accounts,
  ...bodies,
  ...checkOrder,
  ...contentBytes,
  ...contentFiles,
  ...contentLogs,
  ...contentObjects,
  ...contentRandom,
  ...contentVisibility,
  ...credentials,
  ...cursors,
  ...deletes,
  ...dialect,
  ...envelopes,
  ...events,
  ...eventsOfPushes,
  ...fieldTexts,
  ...forkContent,
  ...forkIndependence,
  ...forkRequests,
  ...hostPaths,
  ...importHistories,
  ...importRefusals,
  ...importRemotes,
  ...junk,
  ...lists,
  ...names,
  ...namespaces,
  ...pages,
  ...permissions,
  ...races,
  ...rates,
  ...repos,
  ...requestIds,
  ...routes,
  ...tokenExpiry,
  ...tokenLists,
  ...tokens,
];
