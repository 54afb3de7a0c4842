import { it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { style } from '../../src/render/html/style.ts';
import { renderMinimal } from '../../src/render/minimal.ts';
import { anyText } from './report.ts';

const reply = { status: 404, title: 'Not Found', detail: 'There is nothing at this address.' };

describe('renderMinimal', () => {
  it('ERR-100: has exactly four members as JSON, for both media types', () => {
    const body =
      '{"type":"about:blank","title":"Not Found","status":404,"detail":"There is nothing at this address."}\n';
    expect(renderMinimal(reply, 'application/json')).toBe(body);
    expect(renderMinimal(reply, 'application/problem+json')).toBe(body);
  });

  it('ERR-100: has a heading and a sentence as Markdown', () => {
    expect(renderMinimal(reply, 'text/markdown')).toBe('# 404 Not Found\n\nThere is nothing at this address.\n');
  });

  it('ERR-100: is a page of section 5 with these texts', () => {
    const html = renderMinimal(reply, 'text/html', '2shop.example');
    expect(html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">\n/);
    expect(html).toContain(`<style>${style}</style>`);
    expect(html).toContain('<title>404 Not Found | 2shop.example</title>');
    expect(html).toContain('<h1><span class="code">404</span> Not Found</h1>');
    expect(html).toContain('>There is nothing at this address.</p>');
    expect(html).not.toMatch(/platform_error|error_code|<section|<footer|<dl/);
    expect(renderMinimal(reply, 'text/html')).toContain('<title>404 Not Found</title>');
  });

  property.prop([anyText, anyText])('ERR-067: escapes its values', (detail, zone) => {
    const plain = renderMinimal({ ...reply, detail: 'a' }, 'text/html', zone === '' ? '' : 'a');
    const html = renderMinimal({ ...reply, detail }, 'text/html', zone);
    expect(html.match(/</g)).toHaveLength(plain.match(/</g)?.length ?? 0);
  });
});
