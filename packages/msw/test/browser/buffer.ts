/** Replaces `Buffer` in bundles of pages: isomorphic-git needs it, and browsers have none. */
export { Buffer } from 'buffer/index.js';
