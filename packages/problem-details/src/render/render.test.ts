import { it as property } from '@fast-check/vitest';
import { expect } from 'vitest';
import { renderHtml } from './html/page.ts';
import { renderJson } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import { render } from './render.ts';
import { anyReport } from './report.test.util.ts';

property.prop([anyReport])(
  'ERR-141: render gives the body of each format, and NEG-010: of both JSON types the same',
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
