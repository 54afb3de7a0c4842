import { fc, it } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { describeJsonFault } from './json-fault.ts';

describe('describeJsonFault', () => {
  it.each([
    ['', 1, 1, 'expected a value, not the end of the text'],
    ['{\n  "a": 1,\n}', 3, 1, 'expected a name in double quotes after the comma'],
    ['[1,\r\n2,]', 2, 3, 'expected a value after the comma'],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'expected a comma, or "}"'],
    ['[1 2]', 1, 4, 'expected a comma, or "]"'],
    ['[01]', 1, 3, 'expected a comma, or "]"'],
    ['{"a": 1, // one\n"b": 2}', 1, 10, 'expected a name in double quotes, not a comment'],
    ['# settings\n{}', 1, 1, 'expected a value, not a comment'],
    ['{"a" 1}', 1, 6, 'expected ":" after the name'],
    ["{'a': 1}", 1, 2, 'expected a name in double quotes, or "}", not a single quote'],
    ['{a: 1}', 1, 2, 'expected a name in double quotes, or "}"'],
    ['{"a": [}', 1, 8, 'expected a value, or "]"'],
    ['{"a": undefined}', 1, 7, 'expected a value'],
    ['{"a": True}', 1, 7, 'expected a value'],
    ['{"a": {"b": 1}', 1, 15, 'expected a comma, or "}", not the end of the text'],
    ['{} {}', 1, 4, 'expected nothing after the end'],
    ['}', 1, 1, 'expected a value'],
    ['{"a": "b\n}', 1, 9, 'the string does not end on its line'],
    ['{"äö😀": "C:\\data"}', 1, 12, 'this backslash begins no escape; a backslash itself is written twice'],
    ['["a\tb"]', 1, 4, 'a string holds no tab or other control character; a tab is written \\t'],
  ])('finds the place and the problem in %j', (text, line, column, problem) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(describeJsonFault(text)).toBe(`(line ${line}, column ${column}): ${problem}`);
  });

  it.prop([fc.jsonValue({ maxDepth: 6 }), fc.nat(8)])('finds no fault in JSON, however indented', (value, indent) => {
    expect(describeJsonFault(JSON.stringify(value, null, indent))).toBe('');
  });

  it.prop([fc.jsonValue(), fc.nat(), fc.constantFrom(...'{}[]:,"\\0e.-t \n\tx', '')])(
    'finds a fault if and only if JSON.parse throws, after one edit',
    (value, place, inserted) => {
      const text = JSON.stringify(value);
      const at = place % (text.length + 1);
      const edited = text.slice(0, at) + inserted + text.slice(at + (inserted === '' ? 1 : 0));
      let isJson = true;
      try {
        JSON.parse(edited);
      } catch {
        isJson = false;
      }
      expect(describeJsonFault(edited) === '').toBe(isJson);
    },
  );

  it('takes any depth', () => {
    const depth = 1_000_000;
    expect(describeJsonFault('['.repeat(depth))).toContain(`column ${depth + 1})`);
  });
});
