import { inflateSync } from 'node:zlib';
import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { storedZlib } from './stored-zlib.ts';

test.prop([fc.uint8Array({ maxLength: 300 })])('zlib reads the stored bytes', (bytes) => {
  expect(new Uint8Array(inflateSync(storedZlib(bytes)))).toEqual(bytes);
});

it.each([0, 5552, 5553, 65_535, 65_536, 131_070, 200_000])(
  'stores %i bytes of any value, over several blocks',
  (length) => {
    for (const bytes of [new Uint8Array(length).fill(255), Uint8Array.from({ length }, (_, at) => at % 251)]) {
      expect(Buffer.compare(inflateSync(storedZlib(bytes)), bytes)).toBe(0);
    }
  },
);
