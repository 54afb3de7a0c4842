import { fc, test } from '@fast-check/vitest';
import { randomIds } from '@packhouse/base';
import { expect, it } from 'vitest';
import { isApiSecret, mintApiSecret } from './api-secret.ts';

it('REPO-361: a minted secret has the prefix, 160 bits and a checksum', async () => {
  const secret = await mintApiSecret({ ...randomIds, secret: () => '5f'.repeat(20) });
  expect(secret).toBe(`rha_v1_${'5f'.repeat(20)}7a8ded74`);
  expect(await isApiSecret(await mintApiSecret(randomIds))).toBe(true);
});

test.prop([fc.nat(54), fc.constantFrom(...'0123456789abcdefg_?')])(
  'REPO-361: no other character in any place makes a secret',
  async (place, character) => {
    const secret = await mintApiSecret(randomIds);
    const changed = secret.slice(0, place) + character + secret.slice(place + 1);
    expect(await isApiSecret(changed)).toBe(changed === secret);
    expect(await isApiSecret(`${secret}${character}`)).toBe(false);
    expect(await isApiSecret(secret.slice(0, place))).toBe(false);
  },
);
