import { fc, it as property } from '@fast-check/vitest';
import { CORE_SCHEMA, load, YAML11_SCHEMA } from 'js-yaml';
import { runs } from '@packhouse/fixtures';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { renderJson } from '../../src/render/json.ts';
import { renderMarkdown } from '../../src/render/markdown.ts';
import { anyReport, anyText, anyZone, describeEntry, builtInEntry, reportOf } from './report.ts';
import {
  extensionScalar,
  key,
  nameScalar,
  quoted,
  rayIdScalar,
  timestampScalar,
  zoneScalar,
} from '../../src/render/yaml.ts';

/** Two independent parsers, each for both versions of YAML. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'yaml 1.1': (text) => parse(text, { version: '1.1' }),
  'yaml 1.2': (text) => parse(text, { version: '1.2' }),
  'js-yaml 1.1': (text) => load(text, { schema: YAML11_SCHEMA }),
  'js-yaml 1.2': (text) => load(text, { schema: CORE_SCHEMA }),
};

/** Returns the text between the first line, `---`, and the next such line. */
const frontmatterOf = (markdown: string): string => {
  const lines = markdown.split('\n');
  expect(lines[0]).toBe('---');
  return lines.slice(1, lines.indexOf('---', 1)).join('\n');
};

/** A YAML 1.1 parser may turn `timestamp` into a date (ERR-056). */
const withTimeAsText = (members: unknown): unknown =>
  Object.fromEntries(
    Object.entries(members as object).map(([name, value]: [string, unknown]) => [
      name,
      value instanceof Date ? value.toISOString().replace('.000Z', 'Z') : value,
    ]),
  );

const notInFrontmatter = new Set(['type', 'title', 'instance', 'footer', 'detail']);

const expected = (json: string): unknown =>
  Object.fromEntries(
    Object.entries(JSON.parse(json) as object).filter(([name]) => !notInFrontmatter.has(name)) as [string, unknown][],
  );

describe('the frontmatter', () => {
  for (const [reader, read] of Object.entries(readers)) {
    property.prop([anyReport], { numRuns: runs(400) })(
      `ERR-056: ${reader} reads the values and types of the JSON form from it, for any values`,
      (report) => {
        const sent = new TextEncoder().encode(renderMarkdown(report));
        const markdown = new TextDecoder('utf-8', { ignoreBOM: true }).decode(sent);
        expect(withTimeAsText(read(frontmatterOf(markdown)))).toEqual(expected(renderJson(report.problem)));
      },
    );

    property.prop([anyText])(`ERR-060: ${reader} reads any quoted text unchanged`, (text) => {
      expect(read(`a: ${quoted(text)}\n`)).toEqual({ a: text });
    });

    property.prop([anyZone])(`ERR-059: ${reader} reads any zone unchanged`, (zone) => {
      expect(read(`a: ${zoneScalar(zone)}\n`)).toEqual({ a: zone });
    });
  }

  it('ERR-057: has integers, booleans, names and the time unquoted', () => {
    const lines = renderMarkdown(reportOf(522)).split('\n');
    expect(lines).toContain('error_code: 522');
    expect(lines).toContain('error_name: connection_timeout');
    expect(lines).toContain('error_category: origin');
    expect(lines).toContain('timestamp: 2026-11-05T07:41:12Z');
    expect(lines).toContain('platform_error: true');
    expect(lines).toContain('retry_after: 120');
    expect(extensionScalar(-0)).toBe('0');
    expect(extensionScalar(Number.MAX_SAFE_INTEGER)).toBe('9007199254740991');
    expect(extensionScalar(false)).toBe('false');
  });

  it('ERR-056: quotes the name of an own error that a parser takes for something other than text', () => {
    expect(nameScalar('yes')).toBe('"yes"');
    expect(nameScalar('e5')).toBe('"e5"');
    expect(nameScalar('null')).toBe('"null"');
    expect(nameScalar('x_1')).toBe('x_1');
    expect(nameScalar('a: b')).toBe('"a: b"');
  });

  it('ERR-058: quotes a ray id that looks like a number, and no other', () => {
    expect(rayIdScalar('9184027733651048')).toBe('"9184027733651048"');
    expect(rayIdScalar('91840277336510e8')).toBe('"91840277336510e8"');
    expect(rayIdScalar('e184027733651048')).toBe('"e184027733651048"');
    expect(rayIdScalar('918402773365104e')).toBe('918402773365104e');
    expect(rayIdScalar('9e84027733e51048')).toBe('9e84027733e51048');
    expect(rayIdScalar('a184027733651048')).toBe('a184027733651048');
  });

  property.prop([fc.stringMatching(/^[0-9a-f]{16}$/)])(
    'ERR-058: writes a ray id plain unless the pattern matches',
    (id) => {
      expect(rayIdScalar(id)).toBe(/^[0-9]*e?[0-9]+$/.test(id) ? `"${id}"` : id);
    },
  );

  it('ERR-059: writes a zone plain if every parser takes it for text', () => {
    for (const zone of ['shop.example', 'a', 'xn--bcher-kva.example', 'e1.example', 'e5a', 'nodes', 'null.example'])
      expect(zoneScalar(zone)).toBe(zone);
    for (const zone of ['true', 'false', 'yes', 'no', 'on', 'off', 'y', 'n', 'null', 'e5', 'e-5', 'e55', 'shop.', 'a-'])
      expect(zoneScalar(zone)).toBe(`"${zone}"`);
    for (const zone of ['', '2shop.example', '127.0.0.1', '[::1]', '_dmarc.example', 'a_b', 'A', 'a\n', '-a', '.a'])
      expect(zoneScalar(zone)).toBe(JSON.stringify(zone));
  });

  it('ERR-060: escapes exactly the listed characters between double quotes', () => {
    expect(quoted('a\\b"c\nd\re\tf')).toBe('"a\\\\b\\"c\\nd\\re\\tf"');
    expect(quoted('\0\u0001\u001f\u007f\u0080\u0085\u009f\u2028\u2029\ufeff')).toBe(
      String.raw`"\u0000\u0001\u001f\u007f\u0080\u0085\u009f\u2028\u2029\ufeff"`,
    );
    expect(quoted('\ud800a\udfff\udc00\ud800')).toBe(String.raw`"\ud800a\udfff\udc00\ud800"`);
    expect(quoted("'#: é\u00a0\u200b日本😀\ud83d\ude00/~")).toBe('"\'#: é\u00a0\u200b日本😀😀/~"');
    expect(quoted('')).toBe('""');
  });

  it('ERR-060: escapes every code unit as specified, U+FFFE and U+FFFF too, which YAML does not allow (ERR-056)', () => {
    const short: Record<number, string> = { 9: '\\t', 10: '\\n', 13: '\\r', 34: '\\"', 92: '\\\\' };
    for (let unit = 0; unit <= 0xffff; unit += 1) {
      const character = String.fromCharCode(unit);
      const listed =
        unit < 0x20 ||
        (unit >= 0x7f && unit <= 0x9f) ||
        [0x2028, 0x2029, 0xfeff, 0xfffe, 0xffff].includes(unit) ||
        (unit >= 0xd800 && unit <= 0xdfff);
      const escaped = short[unit] ?? (listed ? `\\u${unit.toString(16).padStart(4, '0')}` : character);
      if (quoted(`a${character}b`) !== `"a${escaped}b"`) expect.fail(`U+${unit.toString(16)}: ${quoted(character)}`);
    }
  });

  it('quotes an invalid time and an invalid member name', () => {
    expect(timestampScalar('2026-11-05T07:41:12Z\n---')).toBe(String.raw`"2026-11-05T07:41:12Z\n---"`);
    expect(key('x_a: 1\n---\n')).toBe(String.raw`"x_a: 1\n---\n"`);
  });

  property.prop([anyText, anyText])('ERR-060: does not end early, for any value', (zone, guidance) => {
    const entry = { ...builtInEntry(522), code: 2000, what_you_should_do: `${guidance}\n---\nstatus: 200` };
    const evil = `${zone}\n---\nstatus: 200`;
    const report = describeEntry(entry, { zone: evil, extensions: { x_evil: evil } });
    const frontmatter = frontmatterOf(renderMarkdown(report));
    expect(frontmatter.split('\n')).toHaveLength(13);
    expect(parse(frontmatter, { version: '1.1' })).toMatchObject({ status: 522, zone: evil, x_evil: evil });
  });
});
