import { it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { anyText } from './report.ts';
import { escapeHtml } from '../../src/render/html/escape.ts';

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

describe('escapeHtml', () => {
  it('ERR-067: escapes the five characters everywhere and leaves the rest', () => {
    expect(escapeHtml(`<a href="x" id='y'>&amp;</a><<é😀\n`)).toBe(
      '&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;&lt;&lt;é😀\n',
    );
    expect(escapeHtml('plain text')).toBe('plain text');
  });

  property.prop([anyText])('ERR-067: leaves none of them in any text, and loses no character', (text) => {
    const escaped = escapeHtml(text);
    expect(escaped).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/);
    expect(escaped.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? '')).toBe(text);
  });
});
