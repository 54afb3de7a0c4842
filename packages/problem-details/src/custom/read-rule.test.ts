import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CustomErrorsError } from './custom-errors-error.ts';
import { readRule } from './read-rule.ts';

const assets = new Map([['page-1', 'an asset']]);
const good = { id: 'a', enabled: true, when: {}, content_type: 'text/plain', content: 'x' };

const refused = (value: unknown): string => {
  try {
    readRule(value, 3, assets);
  } catch (error) {
    if (error instanceof CustomErrorsError) return error.message;
    throw error;
  }
  return 'accepted';
};
const withMembers = (members: object): string => refused({ ...good, ...members });
const withHeader = (header: object): string =>
  withMembers({ when: { headers: [{ name: 'a', op: 'exists' }, header] } });

describe('ERR-108: refuses an invalid rule, naming rule and member', () => {
  it('accepts a valid rule', () => {
    expect(refused(good)).toBe('accepted');
    expect(withMembers({ status_code: 503, when: () => true })).toBe('accepted');
    expect(withMembers({ content: undefined, asset: 'page-1', status_code: undefined })).toBe('accepted');
  });

  it.each([
    ['no object', refused(null), 'rule 3: must be an object'],
    ['a list', refused([]), 'rule 3: must be an object'],
    ['an unknown member', withMembers({ colour: 1 }), 'rule a: colour is unknown; known are id,'],
    ['a member of the prototype', refused(JSON.parse('{"id":"a","__proto__":1}')), 'rule a: __proto__ is unknown'],
    ['no id', withMembers({ id: undefined }), 'rule 3: id must be 1 to 200 letters'],
    ['no enabled', withMembers({ enabled: undefined }), 'rule a: enabled must be true or false'],
    ['enabled that is no boolean', withMembers({ enabled: 'yes' }), 'rule a: enabled must be true or false'],
    ['no condition', withMembers({ when: undefined }), 'rule a: when must be an object or a function'],
    ['a word as condition', withMembers({ when: 'always' }), 'rule a: when must be an object or a function'],
    ['a list as condition', withMembers({ when: [] }), 'rule a: when must be an object'],
    [
      'an unknown condition',
      withMembers({ when: { zones: ['a'] } }),
      'rule a: when.zones is unknown; known are codes,',
    ],
    ['no list', withMembers({ when: { codes: 1015 } }), 'rule a: when.codes must be a list'],
    ['an empty list', withMembers({ when: { headers: [] } }), 'rule a: when.headers must have an item'],
    [
      'a code that is none',
      withMembers({ when: { codes: [522, 499] } }),
      'rule a: when.codes[1] must be a whole number',
    ],
    ['a code as text', withMembers({ when: { codes: ['522'] } }), 'rule a: when.codes[0] must be a whole number'],
    [
      'another type',
      withMembers({ when: { error_types: ['4xx'] } }),
      'rule a: when.error_types[0] must be one of 1xxx, 5xx',
    ],
    [
      'a status of success',
      withMembers({ when: { statuses: [200] } }),
      'rule a: when.statuses[0] must be a whole number',
    ],
    ['a host that is none', withMembers({ when: { hosts: ['a b'] } }), 'rule a: when.hosts[0] must be a host name'],
    ['a lone star', withMembers({ when: { hosts: ['*'] } }), 'rule a: when.hosts[0] must be a host name'],
    ['a star inside', withMembers({ when: { hosts: ['a.*.b'] } }), 'rule a: when.hosts[0] must be a host name'],
    [
      'a port',
      withMembers({ when: { hosts: ['a.example:80'] } }),
      'when.hosts[0] must be written in ASCII form, without port',
    ],
    [
      'an international host',
      withMembers({ when: { hosts: ['*.bücher.example'] } }),
      'port and final dot: xn--bcher-kva.example',
    ],
    ['no host', withMembers({ when: { hosts: [1] } }), 'rule a: when.hosts[0] must be text'],
    [
      'a path without slash',
      withMembers({ when: { path_prefixes: ['a'] } }),
      'rule a: when.path_prefixes[0] must be text that begins with /',
    ],
    [
      'a method in lower case',
      withMembers({ when: { methods: ['get'] } }),
      'rule a: when.methods[0] must be a method in upper case',
    ],
    ['a method that is none', withMembers({ when: { methods: ['A B'] } }), 'rule a: when.methods[0] must be a method'],
    ['a header that is no object', withHeader([]), 'rule a: when.headers[1] must be an object'],
    [
      'a header without name',
      withHeader({ op: 'exists' }),
      'rule a: when.headers[1].name must be the name of a header',
    ],
    ['a header with a bad name', withHeader({ name: 'a b', op: 'exists' }), 'rule a: when.headers[1].name must be'],
    ['an unknown op', withHeader({ name: 'a', op: 'matches' }), 'rule a: when.headers[1].op must be one of contains,'],
    [
      'an unknown member of a header',
      withHeader({ name: 'a', op: 'exists', no: 1 }),
      'rule a: when.headers[1].no is unknown',
    ],
    ['no value', withHeader({ name: 'a', op: 'equals' }), 'rule a: when.headers[1].value must be text'],
    [
      'a value for nothing',
      withHeader({ name: 'a', op: 'absent', value: '' }),
      'when.headers[1].value means nothing with the op absent',
    ],
    [
      'a case for nothing',
      withHeader({ name: 'a', op: 'exists', ignore_case: true }),
      'when.headers[1].ignore_case means nothing',
    ],
    [
      'a case that is none',
      withHeader({ name: 'a', op: 'equals', value: 'b', ignore_case: 1 }),
      'when.headers[1].ignore_case must be true or false',
    ],
    ['no content', withMembers({ content: undefined }), 'rule a: content or asset must be there'],
    ['content that is no text', withMembers({ content: {} }), 'rule a: content must be text'],
    ['both content and asset', withMembers({ asset: 'page-1' }), 'rule a: asset must not stand beside content'],
    [
      'an asset that is not there',
      withMembers({ content: undefined, asset: 'b' }),
      'rule a: asset names no asset that was given: b',
    ],
    ['null for an optional member', withMembers({ status_code: null }), 'rule a: status_code must be a whole number'],
  ])('%s', (_, message, expected) => {
    expect(message).toContain(expected);
  });

  it('any value is accepted or refused with a message', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.object().map((members) => ({ ...good, ...members })),
        ),
        (value) => {
          expect(typeof refused(value)).toBe('string');
        },
      ),
    );
  });
});

describe('the reply of a rule', () => {
  it('ERR-105: has one of six content types', () => {
    for (const type of ['html', 'plain', 'xml', 'markdown']) {
      expect(withMembers({ content_type: `text/${type}` })).toBe('accepted');
    }
    expect(withMembers({ content_type: 'application/json' })).toBe('accepted');
    expect(withMembers({ content_type: 'application/problem+json' })).toBe('accepted');
    for (const content_type of ['text/css', 'TEXT/HTML', 'text/html; charset=utf-8', '', undefined, 1]) {
      expect(withMembers({ content_type })).toMatch(/^rule a: content_type must be one of text\/html, /);
    }
  });

  it('ERR-106: has a status from 400 to 599, if any', () => {
    for (const status_code of [400, 404, 599]) expect(withMembers({ status_code })).toBe('accepted');
    for (const status_code of [200, 399, 600, 999, 404.5, '404', Number.NaN]) {
      expect(withMembers({ status_code })).toBe('rule a: status_code must be a whole number from 400 to 599');
    }
  });

  it('ERR-155: has content of at most 10,240 bytes of UTF-8', () => {
    expect(withMembers({ content: 'a'.repeat(10_240) })).toBe('accepted');
    expect(withMembers({ content: 'ä'.repeat(5120) })).toBe('accepted');
    expect(withMembers({ content: '😀'.repeat(2560) })).toBe('accepted');
    for (const content of ['a'.repeat(10_241), 'ä'.repeat(5121), '😀'.repeat(2561)]) {
      expect(withMembers({ content })).toBe('rule a: content must have at most 10240 bytes of UTF-8');
    }
  });

  it('ERR-157: has an id of 1 to 200 letters, digits, _ and -', () => {
    for (const id of ['a', 'A-z_09', 'x'.repeat(200)]) expect(withMembers({ id })).toBe('accepted');
    for (const id of ['', 'x'.repeat(201), 'a b', 'ä', 'a\n', '.', 7, null]) {
      expect(withMembers({ id })).toBe('rule 3: id must be 1 to 200 letters, digits, _ or -');
    }
  });
});
