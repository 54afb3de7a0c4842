import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { parseGitCredential } from './git-credential.ts';
import { parseBearer } from './bearer.ts';

const secret = `rht_v1_${'5f'.repeat(20)}`;
const basic = (pair: string) => `Basic ${Buffer.from(pair, 'latin1').toString('base64')}`;
const presented = fc.constantFrom(
  secret,
  `${secret}?expires=1795252502`,
  `${secret}%3Fexpires%3D1795252502`,
  `${secret}%3fexpires%3d1`,
  `${secret}?`,
);

describe('parseGitCredential', () => {
  test.prop([presented, fc.constantFrom('Bearer', 'bearer', 'BEARER', 'bEaReR')])(
    'GIT-020, GIT-023, TOKEN-004: Bearer accepts the whole plaintext, and the secret alone',
    (token, scheme) => {
      expect(parseGitCredential(`${scheme} ${token}`)).toBe(secret);
    },
  );

  test.prop([presented, fc.stringMatching(/^[^:\u0100-\uffff]{0,20}$/), fc.constantFrom('Basic', 'basic', 'BASIC')])(
    'GIT-021, GIT-023: Basic accepts any user name, with each form of the token as password',
    (token, user, scheme) => {
      expect(parseGitCredential(basic(`${user}:${token}`).replace('Basic', scheme))).toBe(secret);
    },
  );

  it('GIT-022: rejects a token as user name with an empty password', () => {
    expect(parseGitCredential(basic(`${secret}:`))).toBeUndefined();
    expect(parseGitCredential(basic(secret))).toBeUndefined();
    expect(parseGitCredential(basic('x:?expires=12'))).toBeUndefined();
  });

  it.each([
    null,
    '',
    ' ',
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Basic',
    'Basic !!!',
    'Basic Og==\u0000',
    'Basic O',
    'Digest x',
    'Token x',
    `Bearer a, ${basic('x:y')}`,
    'Bearer ü',
    secret,
  ])('GIT-024: rejects %j as a credential', (header) => {
    expect(parseGitCredential(header)).toBeUndefined();
  });

  it('GIT-025: accepts any text as a credential, which the store then rejects as unknown', () => {
    expect(parseGitCredential(`Bearer ${'x'.repeat(5000)}`)).toBe('x'.repeat(5000));
    expect(parseGitCredential(basic('x:y:z'))).toBe('y:z');
  });

  test.prop(
    [
      fc.oneof(
        fc.string(),
        fc.string({ unit: 'binary' }),
        fc.stringMatching(/^([Bb]asic|[Bb]earer) [A-Za-z0-9+/=?%]*$/),
      ),
    ],
    { numRuns: 500 },
  )('never throws, and a secret is never empty nor longer than the header', (header) => {
    const parsed = parseGitCredential(header);
    if (parsed !== undefined) {
      expect(parsed.length).toBeGreaterThan(0);
      expect(parsed.length).toBeLessThan(header.length);
      expect(parsed).not.toContain('?');
    }
    const bearer = parseBearer(header);
    if (bearer !== undefined) expect(header).toContain(bearer);
  });
});
