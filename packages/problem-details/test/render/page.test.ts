import { createHash } from 'node:crypto';
import { it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { builtInEntries } from '../../src/catalogue/built-in.ts';
import { cloudflare } from '../../src/dialect/cloudflare.ts';
import { neutral } from '../../src/dialect/neutral.ts';
import { describeError } from '../../src/problem/describe.ts';
import { englishLabels } from '../../src/problem/labels.ts';
import { anyReport, builtInEntry, describeEntry, reportOf } from './report.ts';
import { contentSecurityPolicy } from '../../src/render/html/content-security-policy.ts';
import { renderHtml } from '../../src/render/html/page.ts';
import { style } from '../../src/render/html/style.ts';

const contentOf = (html: string, element: string): string[] =>
  [...html.matchAll(new RegExp(`<${element}(?: [^>]*)?>(.*?)</${element}>`, 'gs'))].map(([, content]) => content ?? '');

/** Extracts the text of the page's body as a reader without styles sees it. */
const textOf = (html: string): string =>
  html
    .slice(html.indexOf('<body>'))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');

const elementsIn = (html: string): string[] => [...html.matchAll(/<([a-z][a-z0-9]*)/g)].map(([, name]) => name ?? '');

/** A zone of maximum length (ERR-153). */
const longestZone = `${`${'a'.repeat(63)}.`.repeat(3)}${'a'.repeat(61)}`;

describe('renderHtml', () => {
  it('ERR-062: gives a complete document with language, charset, viewport, colour schemes and robots', () => {
    const html = renderHtml(reportOf(522));
    expect(html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">\n<head>\n<meta charset="utf-8">\n/);
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('<meta name="robots" content="noindex, nofollow">');
    expect(html.endsWith('</body>\n</html>\n')).toBe(true);
    expect(contentOf(html, 'title')).toEqual(['Error 522: Connection timed out | 2shop.example']);
  });

  it('ERR-062: has no zone in the title if it is empty', () => {
    expect(contentOf(renderHtml(reportOf(522, { zone: '' })), 'title')).toEqual(['Error 522: Connection timed out']);
  });

  it('ERR-063: shows all facts of each code as text', () => {
    for (const entry of builtInEntries) {
      const text = textOf(renderHtml(reportOf(entry.code)));
      for (const shown of [
        `${entry.code} ${entry.short_name} `,
        ` ${entry.error_name} `,
        ' 9184027733651048 ',
        ' 2026-11-05 07:41:12 UTC ',
        ' 2shop.example ',
        ` What happened ${entry.detail} `,
        ` What you can do ${entry.what_you_should_do.replace('**', '').replace('.**', '. ').replace('  ', ' ')} `,
        ` Who is responsible `,
        ` ${neutral.footer} `,
      ])
        expect(text).toContain(shown);
      if (entry.retry_after === undefined) expect(text).not.toContain('Seconds to wait');
      else {
        expect(text).toContain(` Seconds to wait: ${entry.retry_after} `);
        expect(text).toContain(` Seconds to wait ${entry.retry_after} `);
      }
    }
  });

  it('ERR-063: shows the seconds to wait of this error, not those of its code', () => {
    expect(textOf(renderHtml(reportOf(1015, { retryAfter: 7 })))).toContain(' Seconds to wait: 7 ');
  });

  it('ERR-063: is correct for one second and for many, since no word depends on the number', () => {
    const one = textOf(renderHtml(reportOf(1015, { retryAfter: 1 })));
    expect(one).toBe(textOf(renderHtml(reportOf(1015, { retryAfter: 30 }))).replaceAll(/(wait:?) 30 /g, '$1 1 '));
    expect(one).not.toMatch(/1 seconds?/);
  });

  it('ERR-064: lists the three parties, and marks only the failing one in words', () => {
    const parties = { 1015: 0, 500: 1, 522: 2 };
    for (const [code, failing] of Object.entries(parties)) {
      const html = renderHtml(reportOf(Number(code)));
      const items = contentOf(contentOf(html, 'ol')[0] ?? '', 'li').map((item) => textOf(`<body>${item}`).trim());
      const { visitor, platform, owner, at_fault, not_at_fault } = englishLabels;
      expect(items).toEqual(
        [visitor, platform, owner].map((party, at) => `${party} ${at === failing ? at_fault : not_at_fault}`),
      );
    }
  });

  it('ERR-065: has neither script, event handler, form nor link', () => {
    for (const { code } of builtInEntries) {
      const html = renderHtml(reportOf(code));
      expect(html).not.toMatch(/<(script|form|input|button|a|iframe|object|embed|template|noscript)\b/i);
      expect(html).not.toMatch(/\son[a-z]+=|javascript:|\shref="(?!data:,")/i);
    }
  });

  it('ERR-066: loads nothing: it has one `style` element and an empty icon', () => {
    const html = renderHtml(reportOf(522));
    expect(contentOf(html, 'style')).toEqual([style]);
    expect(html).toContain('<link rel="icon" href="data:,">');
    expect(elementsIn(html).filter((name) => name === 'link')).toHaveLength(1);
    expect(html).not.toMatch(/\ssrc(set)?=|\sstyle=|url\(|@import|@font-face|<(img|image|use|video|audio|base)\b/i);
  });

  it('ERR-068: has semantic elements, with one heading per section, in order', () => {
    const html = renderHtml(reportOf(522));
    for (const name of ['main', 'footer', 'h1', 'dl'])
      expect(elementsIn(html).filter((each) => each === name)).toHaveLength(1);
    expect(contentOf(html, 'h2')).toEqual([
      'What happened',
      'What you can do',
      'Who is responsible',
      'About this error',
    ]);
    for (const section of contentOf(html, 'section')) expect(contentOf(section, 'h2')).toHaveLength(1);
    expect(html).toContain(' datetime="2026-11-05T07:41:12Z">2026-11-05 07:41:12 UTC</time>');
  });

  property.prop([anyReport])('ERR-067: has the same elements for any values', (report) => {
    const plain = { ...report.problem, title: 'a', detail: 'a', what_you_should_do: 'a', zone: 'a' };
    const zone = report.problem.zone === '' ? '' : 'a';
    const guidance = { what_you_should_do: 'a' };
    expect(elementsIn(renderHtml({ ...report, problem: { ...report.problem, ...guidance } }))).toEqual(
      elementsIn(renderHtml({ ...report, short_name: 'a', problem: { ...plain, zone } })),
    );
  });

  it('ERR-067: escapes every member, the labels and the language', () => {
    const evil = `"><b>'&`;
    const labels = Object.fromEntries(
      Object.keys(englishLabels).map((name) => [name, evil]),
    ) as unknown as typeof englishLabels;
    const report = reportOf(522);
    const members = Object.fromEntries(
      ['title', 'detail', 'error_name', 'ray_id', 'timestamp', 'zone', 'footer'].map((name) => [name, evil]),
    );
    const problem = { ...report.problem, ...members, what_you_should_do: `**${evil}**` };
    const html = renderHtml({ ...report, short_name: evil, language: evil, labels, problem });
    expect(html).not.toContain('<b>');
    expect(elementsIn(html)).toEqual(elementsIn(renderHtml(report)));
    expect(html.match(/&quot;&gt;&lt;b&gt;&#39;&amp;/g)).toHaveLength(30);
    expect(html).toContain('<html lang="&quot;&gt;&lt;b&gt;&#39;&amp;" dir="ltr">');
  });

  it('ERR-070: the policy names the hash of the style, which is the same on every page', () => {
    const hash = createHash('sha256').update(style).digest('base64');
    expect(contentSecurityPolicy).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
    );
    for (const { code } of builtInEntries) expect(renderHtml(reportOf(code))).toContain(`<style>${style}</style>`);
  });

  it('ERR-154: is at most 16,384 bytes for every built-in code, in both dialects, for the longest zone', () => {
    let longest = 0;
    for (const entry of builtInEntries) {
      for (const dialect of [neutral, cloudflare]) {
        const occurrence = { rayId: 'a'.repeat(16), now: 0, zone: longestZone, retryAfter: 2_147_483_647 };
        const html = renderHtml(describeError(entry, occurrence, { dialect, docsBase: 'https://packhouse.example' }));
        longest = Math.max(longest, new TextEncoder().encode(html).length);
      }
    }
    expect(longestZone).toHaveLength(253);
    expect(longest).toBeGreaterThan(4096);
    expect(longest).toBeLessThanOrEqual(16_384);
  });

  it('ERR-149: names language and direction of the texts', () => {
    const { short_name, detail, what_you_should_do } = builtInEntry(522);
    const texts = { short_name, detail, what_you_should_do, footer: 'x', labels: englishLabels };
    const report = describeEntry(builtInEntry(522), { language: 'ar', texts });
    expect(renderHtml(report)).toContain('<html lang="ar" dir="rtl">');
  });
});
