import { describe, expect, it } from 'vitest';
import { createCatalogue } from '../catalogue/catalogue.ts';
import { neutral } from '../dialect/neutral.ts';
import { describeError } from '../problem/describe.ts';
import type { ErrorReport } from '../problem/report.ts';
import { renderBox } from './box.ts';

const entry = createCatalogue().entries[0];
const report = (): ErrorReport => {
  if (entry === undefined) throw new Error('the catalogue is empty');
  const occurrence = { rayId: '0123456789abcdef', now: Date.UTC(2026, 10, 21), zone: 'shop.example' };
  return describeError(entry, occurrence, { dialect: neutral, docsBase: 'https://docs.example' });
};

describe('ERR-115: the block in place of the box token', () => {
  it('has code, short name, detail, guidance, ray id and time', () => {
    const box = renderBox(report());
    expect(box).toContain('<h2>Error 500: Internal server error</h2>');
    expect(box).toContain(`<p>${entry?.detail}</p>`);
    expect(box).toContain('<p><strong>Wait and retry.</strong> Pause ');
    expect(box).toContain('<dd>0123456789abcdef</dd>');
    expect(box).toContain('<time datetime="2026-11-21T00:00:00Z">2026-11-21T00:00:00Z</time>');
  });

  it('escapes each of them, and names their language', () => {
    const hostile = `<i a='"'>&`;
    const { problem, labels } = report();
    const box = renderBox({
      ...report(),
      language: 'de',
      labels: { ...labels, ray_id: hostile, time: hostile },
      problem: {
        ...problem,
        title: hostile,
        detail: hostile,
        what_you_should_do: hostile,
        ray_id: hostile,
        timestamp: hostile,
      },
    });
    expect(box).not.toContain('<i');
    expect(box.split('&lt;i a=&#39;&quot;&#39;&gt;&amp;')).toHaveLength(9);
    expect(box).toMatch(/^<section lang="de" dir="ltr">/);
    expect(renderBox({ ...report(), language: 'ar-EG' })).toMatch(/^<section lang="ar-EG" dir="rtl">/);
  });
});
