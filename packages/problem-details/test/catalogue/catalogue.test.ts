import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInEntries } from '../../src/catalogue/built-in.ts';
import { CatalogueError } from '../../src/catalogue/catalogue-error.ts';
import { createCatalogue } from '../../src/catalogue/catalogue.ts';
import type { Entry, OwnCategory, OwnEntry } from '../../src/catalogue/entry.ts';
import { ownEntry, shopClosed } from './own-entry.ts';

const ownCategories: readonly OwnCategory[] = ['x_shop'];

const ownEntries = fc.uniqueArray(ownEntry, {
  maxLength: 8,
  comparator: (one, other) => one.code === other.code || one.error_name === other.error_name,
});

/** Returns the error with which a catalogue refuses own codes. */
function refusal(ownCodes: readonly unknown[], categories: readonly string[] = ownCategories): CatalogueError {
  try {
    createCatalogue({ ownCodes: ownCodes as OwnEntry[], ownCategories: categories as OwnCategory[] });
  } catch (error) {
    if (error instanceof CatalogueError) return error;
    throw error;
  }
  throw new Error('accepted');
}

describe('ERR-142: own codes', () => {
  it('are in the catalogue next to the built-in ones, sorted by code', () => {
    fc.assert(
      fc.property(ownEntries, (ownCodes) => {
        const catalogue = createCatalogue({ ownCodes, ownCategories });
        const sorted = ownCodes.toSorted((one, other) => one.code - other.code);
        expect(catalogue.entries).toEqual([...builtInEntries, ...sorted]);
        for (const entry of catalogue.entries) {
          expect(catalogue.get(entry.code)).toBe(entry);
          expect(catalogue.isOwn(entry.code)).toBe(ownCodes.some(({ code }) => code === entry.code));
        }
      }),
    );
  });

  it('do not exist unless the app registers them', () => {
    const catalogue = createCatalogue();
    for (const code of [0, 499, 501, 1999, 2000, 9999, -1, Number.NaN, 500.5]) {
      expect(catalogue.get(code)).toBeUndefined();
      expect(catalogue.isOwn(code)).toBe(false);
    }
    expect(catalogue.isOwn(500)).toBe(false);
  });

  it.each(['2000', 2000.5, 1e9])('are refused with an invalid code: %j', (code) => {
    expect(refusal([{ ...shopClosed, code: code as number }]).message).toMatch(
      /^own code .*: `code` must be a whole number from 2,000 to 999,999,999 \(ERR-142\)$/,
    );
  });

  it.each([500, 599, 1000, 1015, 1999])('have no code below 2,000: %d', (code) => {
    expect(refusal([{ ...shopClosed, code, http_status: code < 1000 ? code : 503 }]).message).toBe(
      `own code ${code}: \`code\` must be a whole number from 2,000 to 999,999,999 (ERR-142)`,
    );
  });

  it.each([2000, 999_999_999])('may have the code %d', (code) => {
    expect(createCatalogue({ ownCodes: [{ ...shopClosed, code }], ownCategories }).get(code)?.code).toBe(code);
  });

  it.each(['name_source', 'status_source', 'retryAfter', '__proto__'])('have no member %s', (member) => {
    const entry = Object.fromEntries([...Object.entries(shopClosed), [member, 'published']]);
    expect(refusal([entry]).message).toBe(`own code 2000: \`${member}\` is no member of an own code (ERR-142)`);
  });

  it('are copied, so that later changes have no effect', () => {
    const entry = { ...shopClosed };
    const catalogue = createCatalogue({ ownCodes: [entry], ownCategories });
    entry.detail = '# Owned';
    expect(catalogue.get(2000)).toEqual(shopClosed);
    expect(Object.isFrozen(catalogue.get(2000))).toBe(true);
  });
});

describe('ERR-143: a catalogue names the entry and the member that it refuses', () => {
  it('because its code is taken', () => {
    const other = { ...shopClosed, error_name: 'other' };
    expect(refusal([shopClosed, other]).message).toBe('own code 2000: `code` is taken (ERR-143)');
  });

  it('because its name is taken, by another own code or a built-in one', () => {
    const other = { ...shopClosed, code: 2001 };
    expect(refusal([shopClosed, other]).message).toBe('own code 2001: `error_name` shop_closed is taken (ERR-143)');
    for (const { error_name } of builtInEntries)
      expect(refusal([{ ...shopClosed, error_name }]).message).toContain(`\`error_name\` ${error_name} is taken`);
  });

  it('because any member is missing', () => {
    const keys = Object.keys(shopClosed) as (keyof Entry)[];
    const broken = fc.tuple(ownEntry, fc.constantFrom(...keys)).filter(([entry, member]) => member in entry);
    fc.assert(
      fc.property(broken, ([entry, member]) => {
        const { [member]: _, ...rest } = entry;
        const { message } = refusal([rest]);
        expect(message).toContain(`\`${member}\` must be`);
        expect(message).toContain(member === 'code' ? 'own code at index 0:' : `own code ${entry.code}:`);
      }),
    );
  });

  it.each([null, undefined, 7, 'text', [], true])('because it is %j', (entry) => {
    expect(refusal([shopClosed, entry]).message).toMatch(/^own code at index 1: /);
  });

  const parties: readonly unknown[] = ['visitor', 'owner', 'platform'];
  const anything = fc.anything({ withDate: true, withNullPrototype: true, withBigInt: true });

  /** Invalid values of each member, with the rule that they violate. */
  const broken: readonly [rule: string, member: keyof Entry, values: fc.Arbitrary<unknown>][] = [
    ['ERR-142', 'code', anything.filter((value) => !(Number.isInteger(value) && Number(value) >= 500))],
    ['ERR-142', 'code', fc.oneof(fc.integer({ min: 1_000_000_000 }), fc.integer({ max: 499 }))],
    ['ERR-011', 'http_status', fc.oneof(fc.integer({ max: 399 }), fc.integer({ min: 600 }), fc.constant(500.5))],
    ['ERR-011', 'http_status', anything.filter((value) => typeof value !== 'number')],
    ['ERR-010', 'error_name', fc.string().filter((value) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(value))],
    [
      'ERR-010',
      'error_name',
      fc.constantFrom('A', 'a__b', '_a', 'a_', '1a', 'a-b', 'a b', 'ä', 'a\n', 'a'.repeat(101)),
    ],
    [
      'ERR-056',
      'error_name',
      fc.constantFrom('true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n', 'e5', 'e10'),
    ],
    ['ERR-144', 'category', anything.filter((value) => typeof value !== 'string')],
    [
      'ERR-144',
      'category',
      fc.constantFrom('shop', 'x_other', 'x_', 'X_shop', 'cloudflare', '', 'x_shop\n', '__proto__'),
    ],
    ['ERR-012', 'retryable', anything.filter((value) => typeof value !== 'boolean')],
    ['ERR-012', 'responsible', anything.filter((value) => !parties.includes(value))],
    ['ERR-012', 'owner_action_required', anything.filter((value) => typeof value !== 'boolean')],
    ['ERR-013', 'short_name', anything.filter((value) => typeof value !== 'string')],
    ['ERR-013', 'detail', anything.filter((value) => typeof value !== 'string')],
    ['ERR-014', 'what_you_should_do', anything.filter((value) => typeof value !== 'string')],
    ['ERR-014', 'what_you_should_do', fc.string().filter((value) => !value.startsWith('**'))],
  ];

  it.each(broken)('because it breaks %s: %s', (_rule, member, values) => {
    fc.assert(
      fc.property(ownEntry, values, (entry, value) => {
        const { message, entry: called } = refusal([{ ...entry, [member]: value }]);
        expect(message).toContain(`\`${member}\``);
        expect(message.startsWith(`${called}: `)).toBe(true);
        expect(called).toBe(
          member !== 'code' ? `own code ${entry.code}` : `own code ${typeof value === 'number' ? value : 'at index 0'}`,
        );
      }),
    );
  });

  it('because ERR-012 is broken: a wait goes with retryable', () => {
    fc.assert(
      fc.property(ownEntry, fc.nat(1000), (entry, seconds) => {
        const { retry_after: _, ...without } = entry;
        const turned = entry.retryable ? without : { ...entry, retry_after: seconds };
        expect(refusal([turned]).message).toContain('`retry_after` must be');
        expect(refusal([{ ...turned, retry_after: null }]).message).toContain('`retry_after` must be');
      }),
    );
  });

  it.each([-1, 1.5, 2_147_483_648, Number.NaN, '30', null])('because its wait is %j (ERR-012)', (retry_after) => {
    expect(refusal([{ ...shopClosed, retry_after }]).message).toContain('`retry_after` must be whole seconds');
  });

  it('because ERR-012 is broken: the owner acts if and only if responsible', () => {
    fc.assert(
      fc.property(ownEntry, (entry) => {
        const turned = { ...entry, owner_action_required: !entry.owner_action_required };
        expect(refusal([turned]).message).toContain('`owner_action_required` must be');
      }),
    );
  });

  it('because ERR-014 is broken: the directive contradicts retryable', () => {
    fc.assert(
      fc.property(ownEntry, (entry) => {
        const other = entry.retryable ? '**Do not retry.** ' : '**Wait and retry.** ';
        const what_you_should_do = other + entry.what_you_should_do.slice(entry.retryable ? 20 : 18);
        expect(refusal([{ ...entry, what_you_should_do }]).message).toContain('`what_you_should_do` must begin with');
      }),
    );
  });
});

describe('ERR-144: the category of an own code', () => {
  it('is a built-in one or one that is registered', () => {
    const categories = ['x_shop', 'x_till_2', ...new Set(builtInEntries.map((entry) => entry.category))] as const;
    for (const category of categories) {
      const ownCodes = [{ ...shopClosed, category: category as OwnCategory }];
      const catalogue = createCatalogue({ ownCodes, ownCategories: ['x_shop', 'x_till_2'] });
      expect(catalogue.get(2000)?.category).toBe(category);
    }
  });

  it('is refused unless the app registers it', () => {
    expect(refusal([shopClosed], []).message).toBe(
      'own code 2000: `category` must be a built-in one or one of the own categories (ERR-144)',
    );
  });

  it.each(['shop', 'x_', 'x_Shop', 'x_a b', 'X_shop', 'x_a__b', '', null, 7, `x_${'a'.repeat(100)}`])(
    'cannot be registered as %j',
    (category) => {
      expect(refusal([], [category] as string[]).message).toMatch(/^own category .*: must be named `x_`/);
    },
  );
});

describe('ERR-146: texts of built-in codes', () => {
  const texts = {
    short_name: 'Slow down',
    detail: 'More requests came from you than the shop takes in.',
    what_you_should_do: '**Wait and retry.** Have a cup of tea.',
  };
  const before = builtInEntries.find((entry) => entry.code === 1015);

  it('can be replaced, each by itself, and nothing else changes', () => {
    for (const [member, text] of Object.entries(texts)) {
      const catalogue = createCatalogue({ texts: { 1015: { [member]: text } } });
      expect(catalogue.get(1015)).toEqual({ ...before, [member]: text });
      expect(catalogue.entries.filter(({ code }) => code !== 1015)).toEqual(
        builtInEntries.filter(({ code }) => code !== 1015),
      );
    }
    expect(createCatalogue({ texts: { 1015: texts } }).get(1015)).toEqual({ ...before, ...texts });
    expect(createCatalogue().get(1015)).toEqual(before);
  });

  const others = Object.keys(before ?? {}).filter((member) => !(member in texts));
  it.each([...others, 'footer'])('are the only members that can be replaced: not %s', (member) => {
    const replaced = { 1015: { [member]: before?.[member as keyof typeof before] ?? 'x' } };
    expect(() => createCatalogue({ texts: replaced })).toThrow(
      new CatalogueError('texts of 1015', `\`${member}\` of a built-in code cannot be replaced (ERR-146)`),
    );
  });

  it.each(['2000', '9999', 'rate_limited', '01015', '__proto__'])('cannot be replaced for %s', (code) => {
    const replaced = Object.fromEntries([[code, texts]]);
    expect(() => createCatalogue({ texts: replaced, ownCodes: [shopClosed], ownCategories })).toThrow(
      `texts of ${code}: no built-in code`,
    );
  });

  it.each([null, 'Slow down', 7])('must be an object: %j', (given) => {
    expect(() => createCatalogue({ texts: { 1015: given as unknown as object } })).toThrow(
      new CatalogueError('texts of 1015', 'must be an object'),
    );
  });

  it.each([
    ['short_name', ''],
    ['short_name', undefined],
    ['detail', 'two\nlines'],
    ['detail', '10.0.0.1 is down.'],
    ['what_you_should_do', '**Do not retry.** Go away.'],
    ['what_you_should_do', '**Wait and retry.** See [this](https://shop.example/).'],
  ])('must follow the rules of the catalogue: %s %j', (member, text) => {
    expect(() => createCatalogue({ texts: { 1015: { [member]: text } } })).toThrow(`texts of 1015: \`${member}\` must`);
  });
});
