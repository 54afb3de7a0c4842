import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { rankBefore } from './sent-bases.ts';

test.prop([fc.uniqueArray(fc.nat(200), { minLength: 1 }), fc.nat(), fc.nat(210)])(
  'finds the rank of an object that is sent before another',
  (numbers, some, object) => {
    const objects = Uint32Array.from(numbers).sort();
    const rank = some % objects.length;
    const at = objects.indexOf(object);
    expect(rankBefore({ objects, held: () => false }, rank, object)).toBe(at < rank ? at : -1);
  },
);
