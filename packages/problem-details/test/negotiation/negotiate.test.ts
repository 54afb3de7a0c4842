import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { MediaType } from '../../src/negotiation/media-type.ts';
import { negotiate } from '../../src/negotiation/negotiate.ts';
import { oracleNegotiate } from './negotiation-oracle.ts';
import { hostileHeaders, weightedHeaders } from './weighted-headers.ts';

const html = 'text/html';
const json = 'application/json';
const problem = 'application/problem+json';
const markdown = 'text/markdown';

/** The second table of section 2: id, media type, headers. */
const rows: readonly (readonly [id: string, expected: MediaType, ...headers: string[]])[] = [
  ['NEG-012', html, '*/*'],
  ['NEG-013', html, 'text/html'],
  ['NEG-014', json, 'application/json'],
  ['NEG-015', problem, 'application/problem+json'],
  ['NEG-016', json, 'application/json, text/markdown;q=0.9'],
  ['NEG-017', markdown, 'text/markdown'],
  ['NEG-018', markdown, 'text/markdown, application/json'],
  ['NEG-019', markdown, 'text/*'],
  ['NEG-020', markdown, 'text/markdown, text/html;q=0.9'],
  ['NEG-021', json, 'application/json, text/plain, */*'],
  ['NEG-022', html, '*/*, application/json'],
  ['NEG-023', markdown, 'text/markdown, */*'],
  ['NEG-024', html, 'text/html, application/json'],
  ['NEG-025', json, 'application/json, text/html'],
  ['NEG-026', html, 'application/json;q=0.9, text/html'],
  ['NEG-027', json, 'application/json, application/problem+json'],
  ['NEG-028', problem, 'application/problem+json, application/json'],
  ['NEG-029', json, 'application/*'],
  ['NEG-030', problem, 'application/*, application/json;q=0.1'],
  ['NEG-031', markdown, 'text/*, text/html'],
  ['NEG-032', html, 'text/html, text/*'],
  ['NEG-033', html, 'text/*;q=0.5, text/markdown;q=0'],
  ['NEG-034', html, 'text/*;q=0.9, text/markdown;q=0.1'],
  ['NEG-035', json, 'text/html;q=0.1, */*;q=0.9', 'text/*;q=0.3, */*;q=0.9'],
  ['NEG-036', json, 'text/html;q=0, */*'],
  ['NEG-037', markdown, 'text/html;q=0, application/json;q=0, */*'],
  ['NEG-038', html, 'text/html;q=0', 'application/json;q=0', '*/*;q=0'],
  ['NEG-039', html, 'application/xhtml+xml, application/json;q=0.9'],
  ['NEG-040', html, 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'],
  ['NEG-041', html, 'text/html, image/gif, *; q=.2, */*; q=.2'],
  ['NEG-042', json, 'APPLICATION/JSON', 'application/JSON;Q=0.3'],
  ['NEG-043', json, 'application/json;charset=utf-8', 'application/json;q=0.9;ext=1, text/html;q=0.8'],
  ['NEG-044', markdown, 'text/markdown;variant=GFM'],
  ['NEG-045', json, 'application/json;x="a,b;q=0", text/html'],
  ['NEG-046', json, 'application/json,,text/markdown'],
  ['NEG-047', markdown, 'application/json;q=0.5;q=0.9, text/markdown;q=0.7'],
  ['NEG-048', json, 'application/json;q=0.12345, text/html;q=0.1'],
  ['NEG-050', html, ...['abc', '1.5', '-1', '.5', '"1"', ''].map((weight) => `application/json;q=${weight}`)],
  ['NEG-051', html, 'application/vnd.api+json', 'text/plain', 'image/*', '*', '*/json', 'json', '/'],
  ['NEG-052', html, 'application/json text/markdown', 'application/ json'],
  ['NEG-053', html, '', '   ', ',', ';;;', '\u0001'],
  ['NEG-054', html, 'application/json;x="a, text/markdown'],
  ['NEG-055', json, `${'x/y,'.repeat(63)}application/json`],
  ['NEG-056', html, `${'x/y,'.repeat(64)}application/json`, `${'a'.repeat(9000)},application/json`],
];

describe('media types by header', () => {
  it.each(rows.flatMap(([id, expected, ...headers]) => headers.map((header) => [id, header, expected] as const)))(
    '%s: %j',
    (_, header, expected) => {
      expect(negotiate(header)).toBe(expected);
    },
  );

  it('NEG-011: without a header', () => {
    expect(negotiate(null)).toBe(html);
    expect(negotiate(undefined)).toBe(html);
  });

  it('NEG-049: two lines as Headers joins them', () => {
    const headers = new Headers([['Accept', 'text/markdown']]);
    headers.append('Accept', 'application/json');
    expect(negotiate(headers.get('Accept'))).toBe(markdown);
  });

  it('has each row of the table from NEG-011 to NEG-056', () => {
    const ids = new Set([...rows.map(([id]) => id), 'NEG-011', 'NEG-049']);
    expect(ids.size).toBe(rows.length + 2);
    for (let number = 11; number <= 56; number++) expect(ids).toContain(`NEG-0${number}`);
  });
});

/** Details of each step beyond the rows. docs/decisions/0016 explains the less obvious ones. */
const steps: readonly (readonly [id: string, what: string, expected: MediaType, header: string])[] = [
  ['NEG-001', 'nothing readable', html, 'application json, =, "'],
  ['NEG-002', 'a comma in quotes', json, 'image/png;a=", text/markdown", application/json'],
  ['NEG-002', 'an escaped quote in quotes', json, 'image/png;a="\\", text/markdown", application/json'],
  ['NEG-002', 'an escaped backslash before the end of quotes', json, 'image/png;a="\\\\", application/json'],
  ['NEG-002', 'quotes anywhere', html, 'image"/png, application/json"'],
  ['NEG-002', 'tabs around everything', json, '\tapplication/json\t;\tq=0.9\t,\ttext/html;q=0.8'],
  ['NEG-002', 'no other blank', html, 'application/json\u00a0'],
  ['NEG-003', 'letters beyond ASCII', html, 'text/mar\u212adown'],
  ['NEG-003', 'two slashes', html, 'application/json/'],
  ['NEG-003', 'a weight of `1.`', markdown, 'application/json;q=0.9, text/markdown;q=1.'],
  ['NEG-003', 'a weight of `1.000`', markdown, 'application/json;q=0.9, text/markdown;q=1.000'],
  ['NEG-003', 'a weight of `0.`', html, 'application/json;q=0.'],
  ['NEG-003', 'a weight of two digits before the point', html, 'application/json;q=00.5'],
  ['NEG-003', 'a weight above 1', html, 'application/json;q=1.001'],
  ['NEG-003', 'a weight after other parameters', markdown, 'application/json;a=1;q=0.1, text/markdown;q=0.2'],
  ['NEG-003', 'a bad weight before a good one', html, 'application/json;q=x;q=1'],
  ['NEG-003', '`q` without a value', html, 'application/json;q'],
  ['NEG-003', 'a blank before the equals sign', json, 'application/json;q =0.1, text/html;q=0.5'],
  ['NEG-003', 'a blank behind the equals sign', html, 'application/json;q= 1'],
  [
    'NEG-004',
    'a type of weight 0 and again of another',
    json,
    'application/json;q=0, application/json, text/html;q=0.5',
  ],
  ['NEG-004', 'a type of a bad weight is not named', markdown, 'text/*;q=0.9, text/markdown;q=2'],
  ['NEG-004', 'a weight of 0 in many digits', html, 'application/json;q=0.0000000000000000000000'],
  [
    'NEG-005',
    'both types of `text/*` named',
    json,
    'text/*, text/html;q=0.1, text/markdown;q=0.2, application/json;q=0.3',
  ],
  [
    'NEG-005',
    'both types of `application/*` named',
    html,
    'application/*, application/json;q=0, application/problem+json;q=0',
  ],
  ['NEG-005', 'all that `*/*` could be is covered', markdown, 'text/*;q=0.1, application/*;q=0.05, */*'],
  ['NEG-005', '`*/*` beside ranges of weight 0', html, 'text/*;q=0, application/*;q=0, */*'],
  ['NEG-005', '`*/*` is never problem+json', json, '*/*, application/json;q=0.2, text/*;q=0.1'],
  ['NEG-005', 'XHTML does not name HTML', html, 'application/xhtml+xml;q=0.1, application/json;q=0.5, */*'],
  ['NEG-005', 'XHTML where HTML is refused', html, 'text/html;q=0, application/xhtml+xml, application/json;q=0.5'],
  ['NEG-006', 'equal weights in different words', markdown, 'text/markdown;q=0.50, application/json;q=0.5'],
  [
    'NEG-006',
    'a difference in the 20th digit',
    markdown,
    `application/json;q=0.${'3'.repeat(19)}, text/markdown;q=0.${'3'.repeat(20)}`,
  ],
  [
    'NEG-006',
    'a type named twice counts by its greater weight',
    json,
    'application/json;q=0.1, text/html;q=0.5, application/json;q=0.9',
  ],
  ['NEG-006', 'digits of the next element belong to no weight', json, 'text/html;q=0.5,9/9, application/json;q=0.501'],
  [
    'NEG-006',
    'digits of what follows a weight are not its own',
    html,
    'text/html;q=0.5, application/json;q=0;9, application/json;q=0,9',
  ],
];

describe('steps', () => {
  it.each(steps)('%s: %s', (_, __, expected, header) => {
    expect(negotiate(header)).toBe(expected);
  });

  it('NEG-007, ERR-151: an element that ends with the last character counts, a truncated one does not', () => {
    const padded = (length: number): string => `text/html;q=0.1,${' '.repeat(length - 32)}application/json`;
    expect(padded(8192)).toHaveLength(8192);
    expect(negotiate(padded(8192))).toBe(json);
    expect(negotiate(`${padded(8192)},`)).toBe(json);
    expect(negotiate(`${padded(8192)},text/markdown`)).toBe(json);
    expect(negotiate(`${padded(8192)};q=1`)).toBe(html);
    expect(negotiate(`${padded(8192)} `)).toBe(html);
    expect(negotiate(padded(8193))).toBe(html);
  });

  it('ERR-151: characters are code points', () => {
    const header = `${'\u{1f600}'.repeat(8175)},application/json`;
    expect([...header]).toHaveLength(8192);
    expect(negotiate(header)).toBe(json);
    expect(negotiate(`\u{1f600}${header}`)).toBe(html);
  });

  it('ERR-151: empty elements do not count, malformed ones do', () => {
    expect(negotiate(`${', ,'.repeat(500)}application/json`)).toBe(json);
    expect(negotiate(`${';,'.repeat(63)}application/json`)).toBe(json);
    expect(negotiate(`${';,'.repeat(64)}application/json`)).toBe(html);
    expect(negotiate(`*/*,${'x/y,'.repeat(63)}text/html;q=0`)).toBe(html);
    expect(negotiate(`*/*,${'x/y,'.repeat(62)}text/html;q=0`)).toBe(json);
  });

  it('NEG-009: the header is the only input', () => {
    expect(negotiate).toHaveLength(1);
  });
});

const acceptHeaders = weightedHeaders([
  'text/html',
  'application/xhtml+xml',
  'application/json',
  'application/problem+json',
  'text/markdown',
  'text/*',
  'application/*',
  '*/*',
]);

describe('an oracle that follows the specification step by step', () => {
  test.prop([acceptHeaders], { numRuns: 2000 })(
    'NEG-002, NEG-003, NEG-004, NEG-005, NEG-006, NEG-007: agrees for valid headers and for faulty ones',
    (header) => {
      expect(negotiate(header)).toBe(oracleNegotiate(header));
    },
  );

  test.prop([hostileHeaders], { numRuns: 2000 })('NEG-008: agrees for arbitrary texts and bytes', (header) => {
    expect(negotiate(header)).toBe(oracleNegotiate(header));
  });
});

describe('input that is not a header', () => {
  test.prop([fc.anything()])('NEG-001, NEG-008: treats values that are not strings as a missing header', (value) => {
    fc.pre(typeof value !== 'string');
    expect(Reflect.apply(negotiate, undefined, [value])).toBe(html);
  });
});
