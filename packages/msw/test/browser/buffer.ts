/** isomorphic-git needs a `Buffer`, which browsers have not: bundles of pages put this in its place. */
export { Buffer } from 'buffer/index.js';
