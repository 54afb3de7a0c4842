import type { MinimalReply } from '../minimal-reply.ts';
import { writeDocument } from './document.ts';
import { escapeHtml } from './escape.ts';

/** The page of a minimal reply (ERR-100): the same layout, with the status, its reason phrase and one sentence. */
export const renderMinimalHtml = ({ status, title, detail }: MinimalReply, zone: string): string =>
  writeDocument({
    language: 'en',
    title: `${status} ${title}`,
    zone,
    number: status,
    heading: title,
    sections: `<p class="text wide">${escapeHtml(detail)}</p>\n`,
    footer: '',
  });
