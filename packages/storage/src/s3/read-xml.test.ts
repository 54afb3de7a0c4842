import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { childText, escapeXml, readXml, XmlError, type XmlElement } from './read-xml.ts';

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,8}$/);
// XML has no NUL, and a reader may change line ends.
const text = fc.string({ unit: 'binary', maxLength: 20 }).map((value) => value.replaceAll(/[\0\r]/g, ' '));
const nested = (children: fc.Arbitrary<XmlElement>): fc.Arbitrary<XmlElement> =>
  fc.record({ name, text, children: fc.array(children, { maxLength: 3 }) });
const leaf = fc.record({ name, text, children: fc.constant([]) });
const element = nested(nested(nested(leaf)));

function written({ name: tag, text: inner, children }: XmlElement, style: number): string {
  const inside = children.map((child) => written(child, style)).join('<!-- < -->');
  const content = style === 0 && !inner.includes(']]>') ? `<![CDATA[${inner}]]>` : escapeXml(inner);
  if (style === 1 && inner === '' && inside === '') return `<n:${tag} a="1"/>`;
  return style === 1 ? `<n:${tag} xmlns="u">${content}${inside}</n:${tag} >` : `<${tag}>${content}${inside}</${tag}>`;
}

describe('readXml', () => {
  test.prop([element, fc.nat(2)])('reads what was written, in every way to write it', (root, style) => {
    expect(readXml(`<?xml version="1.0"?>\n${written(root, style)}\n`)).toEqual(root);
  });

  test.prop([fc.string({ unit: 'binary' }), element, fc.nat(60)])(
    'reads any text, or refuses it with an XmlError',
    (noise, root, at) => {
      const source = written(root, 2);
      for (const broken of [noise, source.slice(0, at) + noise + source.slice(at)])
        try {
          readXml(broken);
        } catch (error) {
          expect(error).toBeInstanceOf(XmlError);
        }
    },
  );

  it.each([
    '',
    'text',
    '<a>',
    '</a>',
    '<a></b>',
    '<a/><b/>',
    '<a/>text',
    '<a>&other;</a>',
    '<a>&</a>',
    '<a>&#x110000;</a>',
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<a>'.repeat(20) + '</a>'.repeat(20),
  ])('refuses %j', (source) => {
    expect(() => readXml(source)).toThrow(XmlError);
  });

  it('resolves characters, and finds a child', () => {
    const root = readXml('<Error><Code>A&#x20AC;&#65;&amp;&quot;&apos;</Code><Code>second</Code></Error>');
    expect(childText(root, 'Code')).toBe('A€A&"\'');
    expect(childText(root, 'Key')).toBeUndefined();
  });
});
