import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, type Suite } from '../../core/case.ts';
import type { Context } from '../../core/context.ts';
import { holds } from '../../steps/holds.ts';
import { negotiated } from './negotiation-oracle.ts';
import { askFor, forEach, isTooLong, routeOf } from './replies.ts';

const range = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('text/html', 'application/json', 'application/problem+json', 'text/markdown'),
  },
  { weight: 4, arbitrary: fc.constantFrom('*/*', 'text/*', 'application/*', 'application/xhtml+xml') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'image/*',
      'text/plain',
      'TEXT/Markdown',
      'x/y',
      '*',
      '*/json',
      'te xt/html',
      'a/b/c',
      '/',
    ),
  },
);
const weight = fc.oneof(
  fc.constantFrom('q=0', 'q=1', 'q=0.5', 'q=0.50', 'Q=0.7', 'q=0.9', 'q=0.123456', 'q=1.000', 'q=0.', 'q=0.0'),
  fc.constantFrom('q=1.5', 'q=.5', 'q=', 'q=abc', 'q=-1', 'q="1"', 'q=1.001', 'q=01'),
);
const parameter = fc.constantFrom('charset=utf-8', 'x="a,b"', 'x=";q=0"', 'x="\\",\\""', 'flag', '', 'x=');
const parameters = fc.array(fc.oneof(weight, weight, parameter), { maxLength: 3 });
const element = fc
  .tuple(range, parameters, fc.constantFrom(';', '; ', ' ;\t'))
  .map(([type, list, between]) => [type, ...list].join(between));
const separator = fc.constantFrom(',', ', ', ' ,\t', ',,', ' , , ');

/** Headers that look like real ones. */
const header = fc
  .tuple(fc.array(element, { minLength: 1, maxLength: 7 }), separator)
  .map(([elements, between]) => elements.join(between));

/** Ranges among characters with a meaning in the syntax. No `q`: the rules do not say whether `q =1` is a weight. */
const soup = fc
  .array(
    fc.oneof(fc.constantFrom(...',;"\\/*= \t.01', '\u00e9'), fc.constantFrom('text/markdown', 'application/json')),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(''));

/** A header longer than the part that counts, and shorter than the limit of servers. */
const long = fc
  .tuple(fc.constantFrom(',', ';', '"', '\\', '"\\"', 'a', 'x/y;', '*/*;q=0,', 'text/html;q=0.'), fc.nat({ max: 40 }))
  .map(([unit, more]) => `${unit.repeat(Math.floor((8150 + more) / unit.length))},application/json`);

/** Sends headers in batches, which takes a tenth of the time. */
async function expectTypes(t: Context, headers: readonly string[]): Promise<void> {
  await forEach(headers, async (accept) => {
    const reply = await askFor(t, routeOf(1020), accept);
    if (isTooLong(accept, reply)) return;
    const what = `Accept: ${JSON.stringify(accept.slice(0, 300))}`;
    assert.equal(reply.status, 403, `${what}: expected the error itself`);
    // HTTP strips white space from both ends of a value.
    assert.equal(reply.type, negotiated(accept.replace(/^[ \t]+|[ \t]+$/g, '')), `${what}: expected this media type`);
  });
}

const bunch = { minLength: 8, maxLength: 8 };

export const errorsNegotiationRandom: Suite = suite(
  {
    id: 'errors/negotiation/random',
    requirements: ['NEG-002', 'NEG-003', 'NEG-004', 'NEG-005', 'NEG-006'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation: 'Random headers get the type that the steps of section 2 come to, taken as they are written.',
    run: async (t) => {
      const property = fc.asyncProperty(fc.array(header, bunch), async (headers) => await expectTypes(t, headers));
      await holds(t, 12, property);
    },
  },
  {
    id: 'errors/negotiation/hostile',
    requirements: ['NEG-002', 'NEG-007', 'NEG-008', 'ERR-151'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation: 'Headers that are mostly quotes, backslashes and separators, or longer than what counts, do no harm.',
    run: async (t) => {
      const any = fc.oneof({ weight: 5, arbitrary: soup }, { weight: 1, arbitrary: long });
      await holds(
        t,
        12,
        fc.asyncProperty(fc.array(any, bunch), async (headers) => await expectTypes(t, headers)),
      );
    },
  },
);
