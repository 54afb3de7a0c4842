import type { Suite } from '../../core/case.ts';
import { tagCursors } from './cursors.ts';
import { tagFiltersRandom } from './filters-random.ts';
import { tagFilters } from './filters.ts';
import { tagListOrder } from './list-order.ts';
import { tagLists } from './lists.ts';
import { tagPages } from './pages.ts';

/** Every case of resource tagging. */
export const tags: Suite = [
  ...tagLists,
  ...tagListOrder,
  ...tagPages,
  ...tagCursors,
  ...tagFilters,
  ...tagFiltersRandom,
];
