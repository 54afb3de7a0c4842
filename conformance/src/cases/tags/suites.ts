import type { Suite } from '../../core/case.ts';
import { tagAdmission } from './admission.ts';
import { tagCheckOrder } from './check-order.ts';
import { tagCursors } from './cursors.ts';
import { tagDeletes } from './deletes.ts';
import { tagEnvelopes } from './envelopes.ts';
import { etags } from './etags.ts';
import { tagFailures } from './failures.ts';
import { tagFiltersRandom } from './filters-random.ts';
import { tagFilters } from './filters.ts';
import { ifMatch } from './if-match.ts';
import { tagJunk } from './junk.ts';
import { tagCountLimits } from './limits-of-counts.ts';
import { tagIdLimits } from './limits-of-ids.ts';
import { tagLimits } from './limits.ts';
import { tagListOrder } from './list-order.ts';
import { tagLists } from './lists.ts';
import { tagMalformedBodies } from './malformed-bodies.ts';
import { tagMalformedQueries } from './malformed-queries.ts';
import { tagNotFound } from './not-found.ts';
import { tagObjects } from './objects.ts';
import { tagPages } from './pages.ts';
import { tagRaces } from './races.ts';
import { tagRoutes } from './routes.ts';
import { tagSets } from './set.ts';
import { tagTypes } from './types.ts';

/** Every case of resource tagging. */
export const tags: Suite = [
  ...tagRoutes,
  ...tagAdmission,
  ...tagEnvelopes,
  ...tagObjects,
  ...etags,
  ...ifMatch,
  ...tagSets,
  ...tagNotFound,
  ...tagDeletes,
  ...tagLists,
  ...tagListOrder,
  ...tagPages,
  ...tagCursors,
  ...tagFilters,
  ...tagFiltersRandom,
  ...tagLimits,
  ...tagIdLimits,
  ...tagCountLimits,
  ...tagCheckOrder,
  ...tagRaces,
  ...tagTypes,
  ...tagFailures,
  ...tagMalformedBodies,
  ...tagMalformedQueries,
  ...tagJunk,
];
