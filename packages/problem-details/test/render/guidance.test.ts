import { it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { builtInEntries } from '../../src/catalogue/built-in.ts';
import { anyText } from './report.ts';
import { guidanceHtml } from '../../src/render/html/guidance.ts';

describe('ERR-071: guidanceHtml', () => {
  const cases: readonly (readonly [what: string, text: string, html: string])[] = [
    ['one paragraph', 'Wait.', '<p>Wait.</p>'],
    ['strong', '**Wait.** Then **go** on.', '<p><strong>Wait.</strong> Then <strong>go</strong> on.</p>'],
    ['strong that is not closed', '**Wait. *Then* go.', '<p>**Wait. *Then* go.</p>'],
    ['nothing between the stars', 'a **** b', '<p>a **** b</p>'],
    ['a lone star within', '**a*b**', '<p><strong>a*b</strong></p>'],
    ['strong over two lines', '**a\nb** c', '<p><strong>a\nb</strong> c</p>'],
    ['no strong over two paragraphs', '**a\n\nb**', '<p>**a</p><p>b**</p>'],
    ['paragraphs', 'a\nb\n\n \t\nc\r\n\r\nd', '<p>a\nb</p><p>c</p><p>d</p>'],
    ['a list', '- a\n- **b**', '<ul><li>a</li><li><strong>b</strong></li></ul>'],
    ['a numbered list', '1. a\n1. b\n12. c', '<ol><li>a</li><li>b</li><li>c</li></ol>'],
    ['a numbered list, of any number', '7. a\n8. b', '<ol start="7"><li>a</li><li>b</li></ol>'],
    ['items with blank lines between', '1. a\n\n2. b', '<ol><li>a</li></ol><ol start="2"><li>b</li></ol>'],
    ['a list after a line', 'a:\n- b\nc', '<p>a:</p><ul><li>b</li></ul><p>c</p>'],
    ['two kinds of list', '- a\n1. b', '<ul><li>a</li></ul><ol><li>b</li></ol>'],
    ['a list of one line', '- a', '<ul><li>a</li></ul>'],
    ['lines that only look like lists', '-a\n1.b\n1) c\n  - d', '<p>-a\n1.b\n1) c\n  - d</p>'],
    ['markup, which is escaped first', '**<b>** & "', '<p><strong>&lt;b&gt;</strong> &amp; &quot;</p>'],
    ['other Markdown', '# a [b](javascript:c) `d` _e_ <f>', '<p># a [b](javascript:c) `d` _e_ &lt;f&gt;</p>'],
    ['nothing', '', '<p></p>'],
    ['blank lines', '\n\n', ''],
  ];
  for (const [what, text, html] of cases) it(`writes ${what}`, () => expect(guidanceHtml(text)).toBe(html));

  it('writes every text of the catalogue as a paragraph with its directive strong', () => {
    for (const { what_you_should_do } of builtInEntries)
      expect(guidanceHtml(what_you_should_do)).toMatch(/^<p><strong>(Wait and|Do not) retry\.<\/strong> [^<>*]+<\/p>$/);
  });

  property.prop([anyText])('writes no other element, and closes each, for any text', (text) => {
    const open: string[] = [];
    for (const [, slash, name = '', attributes = ''] of guidanceHtml(text).matchAll(/<(\/?)([^ >]*)([^>]*)>/g)) {
      expect(['p', 'ul', 'ol', 'li', 'strong']).toContain(name);
      expect(attributes).toMatch(name === 'ol' ? /^(?: start="[0-9]+")?$/ : /^$/);
      if (slash === '') open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });
});
