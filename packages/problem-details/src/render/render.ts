import type { MediaType } from '../negotiation/media-type.ts';
import type { ErrorReport } from '../problem/report.ts';
import { renderHtml } from './html/page.ts';
import { renderJson } from './json.ts';
import { renderMarkdown, type MarkdownOptions } from './markdown.ts';

/** Renders the body of an error response in the negotiated format (ERR-141). */
export const render = (report: ErrorReport, mediaType: MediaType, options?: MarkdownOptions): string => {
  switch (mediaType) {
    case 'application/json':
    case 'application/problem+json':
      return renderJson(report.problem);
    case 'text/markdown':
      return renderMarkdown(report, options);
    case 'text/html':
      return renderHtml(report);
  }
};
