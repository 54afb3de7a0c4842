import * as fc from 'fast-check';
import { builtInEntries } from '../../src/catalogue/built-in.ts';
import { directiveOf } from '../../src/catalogue/check-entry.ts';
import type { BuiltInCategory, OwnEntry } from '../../src/catalogue/entry.ts';

/** A valid own code. */
export const shopClosed: OwnEntry = {
  code: 2000,
  short_name: 'Shop closed',
  http_status: 503,
  category: 'x_shop',
  error_name: 'shop_closed',
  retryable: true,
  retry_after: 600,
  owner_action_required: true,
  responsible: 'owner',
  detail: 'The shop does not sell at this time, and its owner decides on the hours.',
  what_you_should_do: '**Wait and retry.** Come back when the shop is open:\n\n- in the **morning**\n- in the evening',
};

const categories = [...new Set<BuiltInCategory>(builtInEntries.map((entry) => entry.category))];
const builtInNames = new Set<string>(builtInEntries.map((entry) => entry.error_name));

const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((found) => found.join('_'));

const sentence = fc
  .array(
    fc.oneof(
      fc.string({ unit: fc.constantFrom(...'abzAZäöü例え😀'), minLength: 1, maxLength: 10 }),
      fc.constantFrom("isn't", '"so"', 'R&D', '5 %'),
    ),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((found) => `${found.join(' ')}.`);

const guidance = fc
  .array(
    fc.oneof(
      sentence,
      sentence.map((text) => `**${text}** so`),
      sentence.map((text) => `- ${text}\n- ${text}`),
      sentence.map((text) => `1. ${text}\n2. ${text}`),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join('\n\n'));

/** Valid entries in every shape that an app's entries may have. */
export const ownEntry: fc.Arbitrary<OwnEntry> = fc
  .record({
    code: fc.integer({ min: 2000, max: 999_999_999 }),
    short_name: sentence,
    http_status: fc.integer({ min: 400, max: 599 }),
    category: fc.oneof(fc.constantFrom(...categories), fc.constant<'x_shop'>('x_shop')),
    error_name: words.map((name) => `own_${name}`).filter((name) => !builtInNames.has(name)),
    retry_after: fc.option(fc.nat(2_147_483_647), { nil: undefined }),
    responsible: fc.constantFrom('visitor' as const, 'owner' as const, 'platform' as const),
    detail: sentence,
    guidance,
  })
  .map(({ retry_after, guidance, ...rest }) => ({
    ...rest,
    retryable: retry_after !== undefined,
    ...(retry_after === undefined ? {} : { retry_after }),
    owner_action_required: rest.responsible === 'owner',
    what_you_should_do: directiveOf(retry_after !== undefined) + guidance,
  }));
