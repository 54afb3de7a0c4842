import type { MediaType } from '../negotiation/media-type.ts';
import { renderMinimalHtml } from './html/minimal-page.ts';
import type { MinimalReply } from './minimal-reply.ts';

/**
 * The body of a minimal reply, which is no error of the catalogue and has neither marker nor `error_code` (ERR-100).
 * `zone` stands in the title of the HTML page.
 */
export const renderMinimal = (reply: MinimalReply, mediaType: MediaType, zone = ''): string => {
  const { status, title, detail } = reply;
  switch (mediaType) {
    case 'application/json':
    case 'application/problem+json':
      return `${JSON.stringify({ type: 'about:blank', title, status, detail })}\n`;
    case 'text/markdown':
      return `# ${status} ${title}\n\n${detail}\n`;
    case 'text/html':
      return renderMinimalHtml(reply, zone);
  }
};
