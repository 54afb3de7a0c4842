import { fc, it as property } from '@fast-check/vitest';
import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { anyTags } from '../filter/arbitraries.test.util.ts';
import { canonicalJson, etagOf } from './etag-of.ts';
import { sha256 } from './sha-256.ts';

const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
const anyMap = fc.oneof(
  anyTags,
  fc.array(fc.tuple(anyText, anyText)).map((entries) => Object.fromEntries(entries)),
);

describe('etagOf', () => {
  it.each([
    ['TAG-039', '{}', 'v1:RBNvo1WzZ4oRRq0W9-hkng'],
    ['TAG-040', '{"environment":"production","team":"platform"}', 'v1:TQa2wNntoLzkR3dLOCiIug'],
    ['TAG-041', '{"cost-center":"","Équipe":"é"}', 'v1:snRpbUaa9F0Vr2UgXv5a7w'],
    ['TAG-042', '{"10":"a","1a":"c","9":"b"}', 'v1:Lz1vnut2PN-KAe131cGz0g'],
    ['TAG-043', '{"__proto__":"x","constructor":"y"}', 'v1:tYEWsfKp7R06omi4r9R00g'],
    ['TAG-044', '{"𐐀":"2","ﬁ":"1"}', 'v1:AK2v-m0r_fOU4bZiLWTXLw'],
  ])('%s: %s has the etag %s', (_id, json, etag) => {
    const tags = JSON.parse(json) as Record<string, string>;
    expect(canonicalJson(tags)).toBe(json);
    expect(etagOf(tags)).toBe(etag);
  });

  property.prop([anyMap])('TAG-036, TAG-037: equals that of an independent implementation of RFC 8785', (tags) => {
    const canonical = canonicalize(tags) ?? '';
    expect(canonicalJson(tags)).toBe(canonical);
    const digest = createHash('sha256').update(canonical).digest().subarray(0, 16);
    expect(etagOf(tags)).toBe(`v1:${digest.toString('base64url')}`);
  });

  property.prop([anyMap])('TAG-036: does not depend on the order of members', (tags) => {
    expect(etagOf(Object.fromEntries(Object.entries(tags).toReversed()))).toBe(etagOf(tags));
  });

  property.prop([anyTags, anyTags])('TAG-036: differs for different maps', (left, right) => {
    expect(etagOf(left) === etagOf(right)).toBe(canonicalJson(left) === canonicalJson(right));
  });

  it('TAG-036: refuses an unpaired surrogate', () => {
    expect(() => etagOf({ a: '\ud800' })).toThrow(RangeError);
    expect(() => etagOf({ '\udc00': '' })).toThrow(RangeError);
  });
});

describe('sha256', () => {
  property.prop([fc.uint8Array({ maxLength: 300, size: 'max' })])('equals that of node:crypto', (message) => {
    expect(Buffer.from(sha256(message)).toString('hex')).toBe(createHash('sha256').update(message).digest('hex'));
  });

  it.each([0, 55, 56, 63, 64, 65, 119, 120, 128, 100_000])('equals that of node:crypto for %i bytes', (length) => {
    const message = new Uint8Array(length).fill(0xa5);
    expect(Buffer.from(sha256(message)).toString('hex')).toBe(createHash('sha256').update(message).digest('hex'));
  });
});
