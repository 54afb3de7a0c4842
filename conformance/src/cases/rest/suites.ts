import type { Suite } from '../../core/case.ts';
import { accounts } from './accounts.ts';
import { archives } from './archives.ts';
import { compare } from './compare.ts';
import { apiTokens } from './tokens/api-tokens.ts';
import { bodies } from './requests/bodies.ts';
import { checkOrder } from './requests/check-order.ts';
import { contentBytes } from './content/bytes.ts';
import { contentFiles } from './content/files.ts';
import { contentLogs } from './content/logs.ts';
import { contentObjects } from './content/objects.ts';
import { contentRandom } from './content/random.ts';
import { contentReading } from './content/reading.ts';
import { contentVisibility } from './content/visibility.ts';
import { cors } from './cors.ts';
import { credentials } from './tokens/credentials.ts';
import { cursors } from './lists/cursors.ts';
import { deletes } from './deletes.ts';
import { dialect } from './dialect.ts';
import { envelopes } from './requests/envelopes.ts';
import { eventsOfPushes } from './events-of-pushes.ts';
import { events } from './events.ts';
import { fieldTexts } from './requests/field-texts.ts';
import { forkContent } from './forks/content.ts';
import { forkIndependence } from './forks/independence.ts';
import { forkRequests } from './forks/requests.ts';
import { hostPaths } from './requests/host-paths.ts';
import { importHistories } from './imports/histories.ts';
import { importRefusals } from './imports/refusals.ts';
import { importRemotes } from './imports/remotes.ts';
import { junk } from './requests/junk.ts';
import { lists } from './lists/lists.ts';
import { merges } from './merges.ts';
import { names } from './names.ts';
import { namespaces } from './namespaces.ts';
import { pages } from './pages.ts';
import { permissions } from './tokens/permissions.ts';
import { races } from './races.ts';
import { rates } from './requests/rates.ts';
import { blobs } from './blobs.ts';
import { commits } from './commits.ts';
import { refUpdates } from './ref-updates.ts';
import { refs } from './refs.ts';
import { repos } from './repos.ts';
import { requestIds } from './requests/request-ids.ts';
import { routes } from './requests/routes.ts';
import { search } from './search.ts';
import { statefulAtOnce } from './stateful/at-once.ts';
import { statefulInTurn } from './stateful/in-turn.ts';
import { tokenExpiry } from './tokens/expiry.ts';
import { tokenLists } from './tokens/lists.ts';
import { tokens } from './tokens/tokens.ts';
import { updates } from './updates.ts';
import { webhooks } from './webhooks.ts';
import { restRecorded } from './recorded.ts';

/** Every case of the control plane. */
export const rest: Suite = [
  ...accounts,
  ...apiTokens,
  ...archives,
  ...compare,
  ...bodies,
  ...checkOrder,
  ...contentBytes,
  ...contentFiles,
  ...contentLogs,
  ...contentObjects,
  ...contentRandom,
  ...contentReading,
  ...contentVisibility,
  ...cors,
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
  ...merges,
  ...names,
  ...namespaces,
  ...pages,
  ...permissions,
  ...races,
  ...rates,
  ...refs,
  ...refUpdates,
  ...blobs,
  ...commits,
  ...repos,
  ...requestIds,
  ...routes,
  ...search,
  ...statefulInTurn,
  ...statefulAtOnce,
  ...tokenExpiry,
  ...tokenLists,
  ...tokens,
  ...updates,
  ...webhooks,
  ...restRecorded,
];
