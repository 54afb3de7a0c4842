import { returned } from '../apps/bodies.ts';

/** Paths of the responses that an app returns and that come to their end. Each has to be as it is without middleware. */
export const passedThrough: readonly string[] = [
  ...Object.keys(returned)
    .filter((name) => !/breaks|endless/.test(name))
    .map((name) => `/return/${name}`),
  '/no-such-page',
];
