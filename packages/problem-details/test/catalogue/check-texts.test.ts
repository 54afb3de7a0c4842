import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { checkEntry } from '../../src/catalogue/check-entry.ts';
import { textLimits } from '../../src/catalogue/check-texts.ts';
import type { EntryTexts } from '../../src/catalogue/entry.ts';
import { ownEntry, shopClosed } from './own-entry.ts';

const faultOf = (texts: Partial<EntryTexts>): string | undefined => checkEntry({ ...shopClosed, ...texts });
const guided = (text: string): string | undefined => faultOf({ what_you_should_do: `**Wait and retry.** ${text}` });

/** Puts a part into each member in turn, whose text is valid otherwise. */
const refusedEverywhere = (part: string, reason: string): void => {
  expect(faultOf({ short_name: `Shop ${part} closed` })).toContain(`\`short_name\` must hold no ${reason}`);
  expect(faultOf({ detail: `Shop ${part} closed.` })).toContain(`\`detail\` must hold no ${reason}`);
  expect(guided(`Shop ${part} closed.`)).toContain(`\`what_you_should_do\` must hold no ${reason}`);
};

it('ERR-010 to ERR-015: accepts texts that follow the rules', () => {
  fc.assert(
    fc.property(ownEntry, (entry) => {
      expect(checkEntry(entry)).toBeUndefined();
    }),
  );
});

it('ERR-144: a category is words joined by _', () => {
  for (const category of ['', 'X_shop', 'x shop', 'x_', 7, null, 'a'.repeat(101)])
    expect(checkEntry({ ...shopClosed, category: category as string })).toContain('`category` must be');
});

describe('ERR-013: a detail and a short name', () => {
  it.each(['', ' ', ' a', 'a ', '\ta', 'a\u00A0'])('must not be blank, nor begin or end with spaces: %j', (text) => {
    expect(faultOf({ detail: text })).toMatch(/^`detail` must/);
    expect(faultOf({ short_name: text })).toMatch(/^`short_name` must/);
  });

  it.each(['\n', '\r', '\r\n', '\u0085', '\u2028', '\u2029', '\v', '\f'])('are one line, without %j', (end) => {
    expect(faultOf({ detail: `One.${end}Two.` })).toContain(
      '`detail` must hold no control characters and no line ends',
    );
    expect(faultOf({ short_name: `One${end}two` })).toContain('`short_name` must hold no control characters');
  });

  it.each([
    ['# a', 'a heading'],
    ['###### a', 'a heading'],
    ['#', 'a heading'],
    ['> a', 'a quotation'],
    ['- a', 'a list'],
    ['* a', 'a list'],
    ['+ a', 'a list'],
    ['1. a', 'a list'],
    ['12) a', 'a list'],
    ['1.', 'a list'],
    ['---', 'a rule'],
    ['***', 'a rule'],
    ['===', 'a rule'],
    ['| - | - |', 'a rule'],
    ['```', 'code'],
    ['~~~', 'code'],
    ['a `b`', 'code'],
    ['a **b** c', 'emphasis'],
    ['a *b* c', 'emphasis'],
    ['a _b_ c', 'emphasis'],
    ['a ~~b~~ c', 'struck text'],
    ['a [b](c)', 'a link'],
    ['![b](c)', 'a link'],
    ['a [b][c]', 'a link'],
    ['[a]: b', 'a link'],
    ['a <b>', 'HTML'],
    ['a </b', 'HTML'],
    ['<!-- a', 'HTML'],
    ['<https://shop.example/>', 'HTML or a link'],
    ['a &lt; b', 'a character reference'],
    ['a &#60; b', 'a character reference'],
    ['a \\# b', 'an escape'],
    ['a \\', 'an escape'],
  ])('are plain: not %j', (text, form) => {
    expect(faultOf({ detail: text })).toMatch(new RegExp(`^\`detail\` must not hold .*${form}`));
    expect(faultOf({ short_name: text })).toMatch(/^`short_name` must not hold /);
  });

  it.each([
    'Less than <1 MB, more than >2 MB',
    'R&D at AT&T',
    '2 * 3 = 6',
    'snake_case and _',
    'a ~ b',
    '#1 in 2026',
    '-1 degrees',
    '3.5 seconds [sic] (at most)',
    'Open 9:30 to 17:00',
    'Closed (until 10:30:15) or (1:05:30)',
    'See shop.example/help or https://shop.example/help.',
    'Mail help@shop.example',
    'C:\\Program Files',
    'Version 1.2.3, not 1.2.3.a or 300',
    'std::string and ::RAY_ID::',
    '「店」は閉まっています。',
    'مغلق',
    '👩‍👩‍👧 closed',
  ])('may hold what only looks like markup or an address: %s', (text) => {
    expect(faultOf({ detail: text })).toBeUndefined();
    expect(guided(text)).toBeUndefined();
  });
});

describe('ERR-014: guidance', () => {
  it.each([
    'Wait and retry. ',
    '**Wait and retry.**',
    '**Do not retry.** ',
    '**wait and retry.** ',
    ' **Wait and retry.** ',
  ])('begins with the directive, not with %j', (start) => {
    expect(faultOf({ what_you_should_do: `${start}Now.` })).toBe(
      '`what_you_should_do` must begin with `**Wait and retry.** ` (ERR-014)',
    );
  });

  it.each([
    'One **bold** word, **two bold** words, **a.**',
    'a\n\nb\n\n\nc',
    'a:\n- b\n- **c** d\n\ne',
    'a:\n\n1. b\n2. c\n10. d',
    'a\nb',
  ])('may use bold text, paragraphs and lists: %j', (text) => {
    expect(guided(text)).toBeUndefined();
  });

  it.each([
    ['a\n# b', 'a heading'],
    ['a\n===', 'a rule, a heading or a table'],
    ['a\n---', 'a rule, a heading or a table'],
    ['a\n=', 'a rule, a heading or a table'],
    ['a\n- - b', 'a list in a list'],
    ['a\n-  b', 'an item with more than one space'],
    ['a\n1.     b', 'an item with more than one space'],
    ['a <#b@c.d>', 'HTML or a link'],
    ['a\n1. - b', 'a list in a list'],
    ['a\n- 1. b', 'a list in a list'],
    ['a\n\n- - -', 'a list in a list'],
    ['a | b\n--|--', 'a rule, a heading or a table'],
    ['a\n* b', 'a list that does not begin'],
    ['a\n+ b', 'a list that does not begin'],
    ['a\n1) b', 'a list that does not begin'],
    ['a\n- # b', 'a heading'],
    ['a\n- > b', 'a quotation'],
    ['a\n- * b', 'a list that does not begin'],
    ['a\n> b', 'a quotation'],
    ['a\n~~~\nb', 'code'],
    ['a `b`', 'code'],
    ['a *b*', 'emphasis with `*`'],
    ['a ***b***', 'emphasis with `*`'],
    ['a **b', 'emphasis with `*`'],
    ['a ** b**', 'emphasis with `*`'],
    ['a **b\nc** d', 'emphasis with `*`'],
    ['a __b__', 'emphasis with `_`'],
    ['a ~~b~~', 'struck text'],
    ['a\n- [b](c)', 'a link or an image'],
    ['**[b](c)**', 'a link or an image'],
    ['**<b>**', 'HTML or a link'],
    ['a\n[b]: c', 'a link or an image'],
    ['a&nbsp;b', 'a character reference'],
    ['a\\\nb', 'an escape'],
  ])('uses no other Markdown: not %j', (text, form) => {
    expect(guided(text)).toContain('`what_you_should_do` must not hold ');
    expect(guided(text)).toContain(form);
  });

  it.each(['a\n', 'a\n\n', 'a \nb', 'a\n b', 'a\n    b', 'a\n- b\n  - c', '- '])(
    'has no spaces at the begin or end of a line, and no line end at its end: %j',
    (text) => {
      expect(guided(text)).toMatch(
        /^`what_you_should_do` must not (have white space at the begin or end of a line|end with)/,
      );
    },
  );

  it('explains the fault of Windows line ends', () => {
    expect(guided('a\r\nb')).toBe('`what_you_should_do` must end its lines with LF alone, without CR');
  });
});

describe('ERR-015: no text', () => {
  it.each(['\0', '\u0007', '\t', '\u001B[31m', '\u007F', '\u009F', '\uFEFF', '\uD800', '\uDC00', '\uFFFE', '\uFFFF'])(
    'holds the control character %j',
    (part) => {
      refusedEverywhere(part, 'control characters');
    },
  );

  it.each([
    '192.0.2.7',
    '10.0.0.1',
    '192.0.2.7:80',
    '(192.0.2.7)',
    '192.0.2.0/24',
    '2001:db8::1',
    '[::1]',
    '::',
    'fe80::1%eth0',
    '1:2:3:4:5:6:7:8',
    '::ffff:192.0.2.7',
  ])('holds the IP address %s', (part) => {
    refusedEverywhere(part, 'IP address');
  });

  it('holds any IP address', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.ipV4(),
          fc.ipV6(),
          fc.ipV6().map((ip) => `[${ip}]`),
        ),
        (address) => {
          refusedEverywhere(address, 'IP address');
        },
      ),
    );
  });

  it.each([
    'origin.internal:8080',
    'db.shop.example:5432/x',
    'worker.js:12:7',
    '(/srv/app/shop.ts:3)',
    '(<anonymous>:1:2)',
    'src/a.mjs:9',
  ])('holds the port of a host or a place in source code: %s', (part) => {
    // This rule does not treat the text in angle brackets as HTML.
    refusedEverywhere(part, 'port of a host');
  });

  it('holds a stack trace', () => {
    const stack = new Error('broken').stack ?? '';
    expect(faultOf({ detail: stack })).toBeDefined();
    expect(guided(stack)).toBeDefined();
    for (const line of stack
      .split('\n')
      .slice(1)
      .map((line) => line.trim()))
      expect(guided(line), line).toBeDefined();
  });
});

describe('ERR-154: no text exceeds its space on the page', () => {
  const directive = '**Wait and retry.** ';

  it.each(['short_name', 'detail'] as const)('%s', (member) => {
    const limit = textLimits[member];
    expect(faultOf({ [member]: 'a'.repeat(limit) })).toBeUndefined();
    expect(faultOf({ [member]: '例'.repeat(Math.floor(limit / 3)) })).toBeUndefined();
    for (const text of ['a'.repeat(limit + 1), '例'.repeat(limit / 3 + 1), '"'.repeat(limit / 6 + 1)])
      expect(faultOf({ [member]: text })).toContain(`\`${member}\` must be shorter: at most ${limit} bytes`);
  });

  it('what_you_should_do', () => {
    const limit = textLimits.what_you_should_do;
    expect(guided('a'.repeat(limit - 50))).toBeUndefined();
    for (const text of ['a'.repeat(limit), '- a\n'.repeat(limit / 20) + 'a'])
      expect(faultOf({ what_you_should_do: directive + text })).toContain(
        `\`what_you_should_do\` must be shorter: at most ${limit} bytes`,
      );
  });

  it('a long text is not read to its end', () => {
    const look = vi.spyOn(String.prototype, 'codePointAt');
    const faults = [faultOf({ detail: ':'.repeat(5_000_000) }), guided(':'.repeat(5_000_000))];
    const looks = look.mock.calls.length;
    look.mockRestore();
    // It reads only the short name, twice.
    expect(looks).toBe(2 * shopClosed.short_name.length + shopClosed.detail.length);
    for (const fault of faults) expect(fault).toContain('must be shorter');
  });
});
