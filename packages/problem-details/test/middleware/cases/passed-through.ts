import { returned } from '../apps/bodies.ts';

/** Paths of the app's responses that end normally. Each must be the same with and without the middleware. */
export const passedThrough: readonly string[] = [
  ...Object.keys(returned)
    .filter((name) => !/breaks|endless/.test(name))
    .map((name) => `/return/${name}`),
  '/no-such-page',
];
