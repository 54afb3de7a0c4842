import type { Suite } from '../../core/case.ts';
import { tagAdmission } from './admission.ts';
import { tagCheckOrder } from './requests/check-order.ts';
import { tagCursors } from './lists/cursors.ts';
import { tagDeletes } from './deletes.ts';
import { tagEnvelopes } from './requests/envelopes.ts';
import { etags } from './etags.ts';
import { tagFailures } from './requests/failures.ts';
import { tagFiltersRandom } from './filters/random.ts';
import { tagFilters } from './filters/filters.ts';
import { ifMatch } from './if-match.ts';
import { tagJunk } from './requests/junk.ts';
import { tagCountLimits } from './limits/counts.ts';
import { tagIdLimits } from './limits/ids.ts';
import { tagLimits } from './limits/limits.ts';
import { tagListOrder } from './lists/order.ts';
import { tagLists } from './lists/lists.ts';
import { tagMalformedBodies } from './requests/malformed-bodies.ts';
import { tagMalformedQueries } from './requests/malformed-queries.ts';
import { tagNotFound } from './requests/not-found.ts';
import { tagObjects } from './objects.ts';
import { tagPages } from './lists/pages.ts';
import { tagRaces } from './races.ts';
import { tagRoutes } from './requests/routes.ts';
import { tagSets } from './set.ts';
import { statefulTags } from './stateful.ts';
import { tagTypes } from './types.ts';
import { tagsRecorded } from './recorded.ts';

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
  ...statefulTags,
  ...tagTypes,
  ...tagFailures,
  ...tagMalformedBodies,
  ...tagMalformedQueries,
  ...tagJunk,
  ...tagsRecorded,
];
