import type { Suite } from '../../core/case.ts';

/** Every case of resource tagging. */
export const tags: Suite = [];
