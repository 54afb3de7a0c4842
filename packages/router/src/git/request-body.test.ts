import { expect, it } from 'vitest';
import { bodyLength } from './request-body.ts';

it.each([
  [{ 'content-length': '12' }, 12],
  [{ 'content-length': '0' }, 0],
  [{}, undefined],
  [{ 'content-length': '12', 'content-encoding': 'gzip' }, undefined],
  // Deno and Bun join the values of a repeated header.
  [{ 'content-length': '12, 12' }, undefined],
])('takes the length of a body only from one clear header: %j', (headers, length) => {
  expect(bodyLength(new Headers(headers))).toBe(length);
});
