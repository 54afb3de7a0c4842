import { describe, expect, it } from 'vitest';
import { cloudflare } from '../../src/dialect/cloudflare.ts';
import { CustomErrorsError } from '../../src/custom/custom-errors-error.ts';
import { type CustomErrorsInput, customErrors } from '../../src/custom/custom-errors.ts';
import { factsOfError } from './facts-of-error.ts';
import type { CustomErrorRule, RuleFunction } from '../../src/custom/rule.ts';

const rule = (id: string, members: Partial<CustomErrorRule> = {}): CustomErrorRule =>
  ({ id, enabled: true, when: {}, content_type: 'text/plain', content: id, ...members }) as CustomErrorRule;

const request = new Request('https://shop.example/%61bc');
const firstOf = async (rules: readonly CustomErrorRule[], thrown: unknown[] = []): Promise<string | undefined> =>
  (await customErrors({ rules }).match(factsOfError(), request, (error) => thrown.push(error)))?.id;

const refused = (input: unknown): string => {
  try {
    customErrors(input as CustomErrorsInput);
  } catch (error) {
    if (error instanceof CustomErrorsError) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('the rules of a zone', () => {
  it('ERR-104: are tried in the order of the list, disabled ones skipped', async () => {
    expect(
      await firstOf([rule('a', { enabled: false }), rule('b', { when: { codes: [522] } }), rule('c'), rule('d')]),
    ).toBe('c');
    expect(await firstOf([rule('b', { when: { codes: [522] } })])).toBeUndefined();
    expect(await firstOf([])).toBeUndefined();
  });

  it('ERR-103: compare prefixes with the decoded path', async () => {
    expect(
      await firstOf([
        rule('a', { when: { path_prefixes: ['/%61'] } }),
        rule('b', { when: { path_prefixes: ['/ab'] } }),
      ]),
    ).toBe('b');
  });

  it('ERR-112: match if a function of error and request returns true', async () => {
    const seen: unknown[] = [];
    const noting: RuleFunction = (error, asked) => {
      seen.push(error, asked);
      return false;
    };
    const rules = [
      rule('a', { when: noting }),
      rule('b', { when: async () => false }),
      rule('c', { when: async () => true }),
    ];
    expect(await firstOf(rules)).toBe('c');
    expect(seen).toEqual([factsOfError(), request]);
    expect(await firstOf([rule('a', { when: (() => 'yes') as unknown as RuleFunction })])).toBeUndefined();
  });

  it('ERR-112: do not match if it throws or rejects, which is reported', async () => {
    const [thrown, rejected] = [new Error('thrown'), new Error('rejected')];
    const told: unknown[] = [];
    const throwing = (): boolean => {
      throw thrown;
    };
    const rules = [rule('a', { when: throwing }), rule('b', { when: () => Promise.reject(rejected) }), rule('c')];
    expect(await firstOf(rules, told)).toBe('c');
    expect(told).toEqual([thrown, rejected]);
  });

  it('are copied, so that later changes of the list have no effect', async () => {
    const rules = [rule('a', { when: { codes: [522] } }), rule('b')];
    const codes = [522];
    const custom = customErrors({ rules: [rule('a', { when: { codes } }), ...rules.slice(1)] });
    codes.push(1015);
    expect((await custom.match(factsOfError(), request, () => undefined))?.id).toBe('b');
  });

  it('ERR-108: are refused with the path of the fault', () => {
    expect(refused({ rules: [rule('a'), rule('b'), rule('a')] })).toBe('rule a: id is that of a rule before, too');
    expect(refused({ rules: [rule('a'), { ...rule('b'), id: 'ä' }] })).toMatch(/^rule 2: id must be /);
    expect(refused({ rules: {} })).toBe('custom errors: rules must be a list');
    expect(refused({ rule: [] })).toMatch(/^custom errors: rule is unknown; /);
    expect(refused(null)).toBe('custom errors: must be an object');
    expect(refused({})).toBe('accepted');
    expect(() => customErrors({}, 'cloudflare' as unknown as typeof cloudflare)).toThrow(
      new CustomErrorsError(
        'custom errors',
        'dialect',
        'must be an object such as the import `cloudflare`, not its name',
      ),
    );
    const nameless = refused({ ['x'.repeat(1_000_000)]: 1 });
    expect(nameless.length).toBeLessThan(300);
    expect(nameless).toMatch(/^custom errors: x{100} is unknown; /);
  });

  it('ERR-156: may send an asset of at most 1,572,864 bytes of UTF-8', async () => {
    const asset = rule('a', { content: undefined, asset: 'big' } as never);
    const accepted = 'ä'.repeat(786_432);
    const custom = customErrors({ rules: [asset], assets: { big: accepted } });
    const found = await custom.match(factsOfError(), request, () => undefined);
    expect(await found?.template.fill(() => '')).toBe(accepted);
    expect(refused({ assets: { big: `${accepted}a` } })).toBe('asset big: must have at most 1572864 bytes of UTF-8');
    expect(refused({ assets: { big: 'a'.repeat(1_572_865) } })).toBe(
      'asset big: must have at most 1572864 bytes of UTF-8',
    );
    expect(refused({ assets: { big: 7 } })).toBe('asset big: must be text');
    expect(refused({ assets: null })).toBe('assets: must be an object');
  });

  it('ERR-157: name assets by 1 to 200 letters, digits, _ and -', () => {
    for (const name of ['a', 'A-z_09', 'x'.repeat(200)]) expect(refused({ assets: { [name]: '' } })).toBe('accepted');
    expect(refused({ assets: ['a text'] })).toBe('assets: must be an object');
    expect(refused({ assets: { ['x'.repeat(1_000_000)]: '' } }).length).toBeLessThan(300);
    for (const name of ['', 'x'.repeat(201), 'a b', '../a']) {
      expect(refused({ assets: { [name]: '' } })).toMatch(/^assets: have names of 1 to 200 letters, digits, _ or -/);
    }
  });
});

describe('the pages of a zone', () => {
  const pages = { '500_errors': '5', '1000_errors': '1', other_errors: 'o' };

  it('ERR-113: exist per type and cover every code of it', async () => {
    const custom = customErrors({ pages });
    const page = (code: number): Promise<string> | undefined => custom.pageFor(code)?.fill(() => '');
    expect(await Promise.all([500, 502, 526].map(page))).toEqual(['5', '5', '5']);
    expect(await Promise.all([1000, 1015, 1206].map(page))).toEqual(['1', '1', '1']);
    expect(await Promise.all([2000, 999_999_999].map(page))).toEqual(['o', 'o']);
    expect(customErrors({ pages: { '500_errors': '' } }).pageFor(1015)).toBeUndefined();
    expect(customErrors({}).pageFor(500)).toBeUndefined();
  });

  it('ERR-116: may lack the box token of their type, which causes a warning', () => {
    expect(customErrors({ pages }).warnings).toEqual([
      'page 500_errors does not say what went wrong: it has no ::PLATFORM_ERROR_500S_BOX::',
      'page 1000_errors does not say what went wrong: it has no ::PLATFORM_ERROR_1000S_BOX::',
      'page other_errors does not say what went wrong: it has no ::PLATFORM_ERROR_1000S_BOX::',
    ]);
    const boxes = { '500_errors': '::CLOUDFLARE_ERROR_500S_BOX::', '1000_errors': '::CLOUDFLARE_ERROR_1000S_BOX::' };
    expect(customErrors({ pages: boxes }, cloudflare).warnings).toEqual([]);
    expect(customErrors({ pages: boxes }).warnings).toHaveLength(2);
    expect(customErrors({ pages: { '500_errors': '::PLATFORM_ERROR_1000S_BOX::' } }).warnings).toHaveLength(1);
  });

  it('ERR-108: are refused if they are of another type, or not a text', () => {
    expect(refused({ pages: { '400_errors': '' } })).toMatch(/^custom errors: pages\.400_errors is unknown; /);
    expect(refused({ pages: { '500_errors': {} } })).toBe('page 500_errors: must be text');
    expect(refused({ pages: [] })).toBe('custom errors: pages must be an object');
  });

  it('ERR-156: have at most 1,572,864 bytes of UTF-8', () => {
    expect(refused({ pages: { other_errors: 'a'.repeat(1_572_864) } })).toBe('accepted');
    expect(refused({ pages: { other_errors: 'a'.repeat(1_572_865) } })).toBe(
      'page other_errors: must have at most 1572864 bytes of UTF-8',
    );
  });
});
