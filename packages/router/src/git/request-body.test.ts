import { expect, it } from 'vitest';
import { bodyLength } from './request-body.ts';

it.each([
  [{ 'content-length': '12' }, 12],
  [{ 'content-length': '0' }, 0],
  [{}, undefined],
  [{ 'content-length': '12', 'content-encoding': 'gzip' }, undefined],
  // As Deno and Bun give a header that came twice.
  [{ 'content-length': '12, 12' }, undefined],
])('the length of a body is known only where it is told clearly: %j', (headers, length) => {
  expect(bodyLength(new Headers(headers))).toBe(length);
});
