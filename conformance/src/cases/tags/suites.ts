import type { Suite } from '../../core/case.ts';
import { tagCheckOrder } from './check-order.ts';
import { tagCursors } from './cursors.ts';
import { tagFiltersRandom } from './filters-random.ts';
import { tagFilters } from './filters.ts';
import { tagCountLimits } from './limits-of-counts.ts';
import { tagIdLimits } from './limits-of-ids.ts';
import { tagLimits } from './limits.ts';
import { tagListOrder } from './list-order.ts';
import { tagLists } from './lists.ts';
import { tagPages } from './pages.ts';
import { tagRaces } from './races.ts';

/** Every case of resource tagging. */
export const tags: Suite = [
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
];
