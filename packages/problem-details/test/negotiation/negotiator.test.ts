import { fc, test } from '@fast-check/vitest';
import Negotiator from 'negotiator';
import { expect, it } from 'vitest';
import { negotiate } from '../../src/negotiation/negotiate.ts';

const types = ['text/html', 'application/json', 'application/problem+json', 'text/markdown'];

/** Choices of `negotiator`; it takes `first` if it has no preference. */
const negotiatorChoices = (header: string, first: string): string[] =>
  new Negotiator({ headers: { accept: header } }).mediaTypes([first, ...types.filter((type) => type !== first)]);

const ranges = fc.constantFrom(
  'text/html',
  'application/json',
  'application/problem+json',
  'text/markdown',
  'text/*',
  'application/*',
  '*/*',
  'image/png',
  'image/*',
);

/**
 * Headers for which this package and RFC 9110 must agree: well-formed, no two elements with the same weight, and no
 * parameters except the weight.
 *
 * - With equal weights, the position decides here (NEG-006). RFC 9110 leaves this open, and `negotiator` compares how
 *   specific the ranges are first.
 * - `negotiator` compares other parameters with those of the offered type; here they are ignored (NEG-003).
 * - `application/xhtml+xml` is answered with HTML here (NEG-005); `negotiator` treats it as a type that is not offered.
 */
const headers = fc
  .uniqueArray(fc.tuple(ranges, fc.integer({ min: 0, max: 1000 })), {
    minLength: 1,
    maxLength: 8,
    selector: ([, q]) => q,
  })
  .map((elements) => elements.map(([range, weight]) => `${range};q=${(weight / 1000).toFixed(3)}`).join(', '));

/** Tests if `application/problem+json` may be chosen, which `*\/*` alone never does here (NEG-005). */
const canBeProblem = (header: string): boolean =>
  header.includes('application/problem+json') || header.includes('application/*');

test.prop([headers], { numRuns: 3000 })(
  'NEG-005, NEG-006: chooses one of the types that negotiator finds RFC 9110 to prefer',
  (header) => {
    const chosen = negotiate(header);
    const acceptable = negotiatorChoices(header, chosen).filter(
      (type) => type !== 'application/problem+json' || canBeProblem(header),
    );
    // If no type is acceptable, the answer is HTML, not 406 (NEG-006).
    expect(acceptable[0] ?? 'text/html').toBe(chosen);
  },
);

it('NEG-005: differs from negotiator if only problem+json is left for `*/*`', () => {
  const header = 'text/html;q=0.1, text/markdown;q=0.2, application/json;q=0.3, */*;q=0.9';
  expect(negotiatorChoices(header, 'text/html')[0]).toBe('application/problem+json');
  expect(negotiate(header)).toBe('application/json');
});
