import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { failureRecord, withoutSecrets } from './scrub.ts';

const secret = '0123456789abcdef0123456789abcdef01234567';

describe('withoutSecrets', () => {
  it.each([
    [`/x/rht_v1_${secret}?expires=1798761600/y`, '/x/rht_v1_***/y'],
    [`/x/rht_v1%5F${secret}%3Fexpires%3D1798761600`, '/x/rht_v1%5F***'],
    [`/x/rht_v1_%30${secret.slice(1)}`, '/x/rht_v1_***'],
    [`/x/ph_${secret}${secret.slice(0, 24)}/y`, '/x/ph_***/y'],
    [`/x/own${secret}`, '/x/own***'],
    [`/x/OWN-${secret.toUpperCase()}`, '/x/OWN-***'],
    ['/x/k3v9p0x2m7q4w8zt', '/x/k3v9p0x2m7q4w8zt'],
  ])('REPO-009: %s', (text, logged) => {
    expect(withoutSecrets(text)).toBe(logged);
  });

  test.prop([fc.nat({ max: 4_100 }), fc.constantFrom('rht_v1_', 'ph_', 'own', '')])(
    'REPO-009: removes a secret at any position',
    (before, prefix) => {
      const logged = withoutSecrets(`${'/'.repeat(before)}${prefix}${secret}/end`);
      expect(logged).not.toContain('01234567');
      expect(logged.length).toBeLessThanOrEqual(2048);
    },
  );
});

it('REPO-009: a failure record keeps an object id and removes a token', () => {
  expect(failureRecord(new Error(`The object ${secret} is missing; /srv/x, rht_v1_${secret}`), 'r').message).toBe(
    `The object ${secret} is missing; <path>, rht_v1_***`,
  );
});

it('records a foreseen failure as a warning', () => {
  const expected = Object.assign(new Error('not taken'), { level: 'warn' });
  expect(failureRecord(expected, null)).toMatchObject({ level: 'warn', message: 'not taken' });
  expect(failureRecord(Object.assign(new Error('x'), { level: 'info' }), null)).not.toHaveProperty('level');
});
