import { it as property } from '@fast-check/vitest';
import { expect } from 'vitest';
import { renderHtml } from '../../src/render/html/page.ts';
import { renderJson } from '../../src/render/json.ts';
import { renderMarkdown } from '../../src/render/markdown.ts';
import { render } from '../../src/render/render.ts';
import { anyReport } from './report.ts';

property.prop([anyReport])(
  'ERR-141: render returns the body of each format, and NEG-010: the same for both JSON types',
  (report) => {
    expect(render(report, 'application/json')).toBe(renderJson(report.problem));
    expect(render(report, 'application/problem+json')).toBe(renderJson(report.problem));
    expect(render(report, 'text/html')).toBe(renderHtml(report));
    expect(render(report, 'text/markdown')).toBe(renderMarkdown(report));
    expect(render(report, 'text/markdown', { guidanceMember: false })).toBe(
      renderMarkdown(report, { guidanceMember: false }),
    );
  },
);
