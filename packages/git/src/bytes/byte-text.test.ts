import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { fromByteText, toByteText } from './byte-text.ts';

test.prop([fc.uint8Array({ maxLength: 9000 }), fc.uint8Array({ maxLength: 9 })])(
  'byte texts keep all bytes, and compare like them',
  (bytes, other) => {
    expect(fromByteText(toByteText(bytes))).toEqual(bytes);
    const [a, b] = [toByteText(bytes), toByteText(other)];
    expect(a < b ? -1 : a > b ? 1 : 0).toBe(Buffer.compare(bytes, other));
  },
);
