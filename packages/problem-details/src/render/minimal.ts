import type { MediaType } from '../negotiation/media-type.ts';
import { writeDocument } from './html/document.ts';
import { escapeHtml } from './html/escape.ts';

/** Content of a minimal reply (ERR-100). */
export interface MinimalReply {
  readonly status: number;
  /** The reason phrase of `status`. */
  readonly title: string;
  /** One sentence. */
  readonly detail: string;
}

/**
 * Renders the body of a minimal reply, which is not in the catalogue and has neither marker nor `error_code` (ERR-100).
 * `zone` is part of the title of the HTML page.
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

/** The page of a minimal reply (ERR-100): the same layout, with the status, its reason phrase and one sentence. */
const renderMinimalHtml = ({ status, title, detail }: MinimalReply, zone: string): string =>
  writeDocument({
    language: 'en',
    title: `${status} ${title}`,
    zone,
    number: status,
    heading: title,
    sections: `<p class="text wide">${escapeHtml(detail)}</p>\n`,
    footer: '',
  });
