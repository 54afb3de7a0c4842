import { describe, expect, it } from 'vitest';
import { readPage } from './html-page.ts';

describe('readPage', () => {
  it('reads elements, attributes and texts', () => {
    const page = readPage(
      `<!DOCTYPE html>\n<html lang=en><head><title>A &amp; B</title><style>a > b { }</style></head>` +
        `<body><p data-x='1"'>One<br>two <b>&#x33;</b></p><P>four</P></body></html>\n`,
    );
    expect(page.doctype).toBe(true);
    expect(page.elements.map(({ name }) => name)).toEqual('html head title style body p br b p'.split(' '));
    expect(page.all('title')[0]?.text).toBe('A & B');
    expect(page.all('style')[0]?.text).toBe('a > b { }');
    expect(page.all('p')[0]?.attributes.get('data-x')).toBe('1"');
    expect(page.text).toBe('One two 3 four');
  });

  it('skips comments with any content', () => {
    const page = readPage('<!doctype html><body><!-- <script>x</script> -->a<!--[if IE]><p><![endif]-->b</body>');
    expect(page.elements.map(({ name }) => name)).toEqual(['body']);
    expect(page.text).toBe('ab');
  });

  it.each(['<body>a < b', '<body></p>', '<style>a', '<!-- a'])('refuses %s', (html) => {
    expect(() => readPage(html)).toThrow(/the page /);
  });
});
