import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { anyTags } from '../filter/arbitraries.test.util.ts';
import { etagOf } from './etag-of.ts';
import { ifMatch } from './if-match.ts';

const etag = 'v1:TQa2wNntoLzkR3dLOCiIug';
const other = 'v1:RBNvo1WzZ4oRRq0W9-hkng';

describe('ifMatch', () => {
  it('TAG-045: allows every write without the header', () => {
    expect([ifMatch(null, etag), ifMatch(null, undefined)]).toEqual([true, true]);
    // Hono and Node give `undefined` for a missing header.
    expect([ifMatch(undefined, etag), ifMatch(undefined, undefined)]).toEqual([true, true]);
  });

  it.each([
    etag,
    `"${etag}"`,
    ` \t"${etag}" `,
    `"${other}", "${etag}"`,
    `${other},${etag}`,
    `"a,b", ${etag}`,
    `W/"${etag}", "${etag}"`,
    `, ,"${etag}",`,
    `*, ${etag}`,
  ])('TAG-046, TAG-048: %j lists the etag', (header) => {
    expect(ifMatch(header, etag)).toBe(true);
  });

  it.each([
    ['another one', `"${other}"`],
    ['a part of it', etag.slice(0, -1)],
    ['more than it', `${etag}a`],
    ['another case', etag.toLowerCase()],
    ['a weak one', `W/"${etag}"`],
    ['nothing', ''],
    ['blanks', ' \t'],
    ['empty items', ', ,'],
    ['an empty text', '""'],
    ['quotes that do not end', `"${etag}`],
    ['quotes that do not begin', `${etag}"`],
    ['a text that holds it', `"x,${etag},y"`],
    ['two without a comma', `"${etag}" "${other}"`],
    ['single quotes', `'${etag}'`],
    ['a space that is none of HTTP', `\u00a0${etag}`],
    ['a star in quotes', '"*"'],
    ['two stars', '*,*'],
    ['a star in a list', ',*'],
    ['a star and an empty item', '*, '],
  ])('TAG-046, TAG-049: %s does not match: %j', (_what, header) => {
    expect(ifMatch(header, etag)).toBe(false);
  });

  it('TAG-047: compares a missing record as the empty map', () => {
    expect(ifMatch(`"${etagOf({})}"`, undefined)).toBe(true);
    expect(ifMatch(`"${etag}"`, undefined)).toBe(false);
  });

  it('TAG-049: a star matches if there is a record', () => {
    expect(ifMatch('*', etagOf({}))).toBe(true);
    expect(ifMatch(' * ', etag)).toBe(true);
    expect(ifMatch('*', undefined)).toBe(false);
  });

  property.prop([anyTags, fc.array(anyTags, { maxLength: 4 }), fc.boolean()])(
    'TAG-046, TAG-048: matches if and only if the list has the etag',
    (current, listed, quoted) => {
      const etags = listed.map(etagOf);
      const header = etags.map((each) => (quoted ? `"${each}"` : each)).join(', ');
      expect(ifMatch(header, etagOf(current))).toBe(etags.includes(etagOf(current)));
    },
  );

  property.prop([fc.string({ unit: fc.constantFrom('"', ',', ' ', '*', 'W/', etag, 'x') })])(
    'TAG-049: reads any text, which matches only if it contains the etag or is a star',
    (header) => {
      const possible = header.includes(etag) || header.trim() === '*';
      expect(ifMatch(header, etag) && !possible).toBe(false);
    },
  );
});
