import { escapeHtml } from '../render/html/escape.ts';
import type { RuleContentType } from './rule.ts';

type Escape = (text: string) => string;

const asItIs: Escape = (text) => text;

/** Between the quotes of a string of JSON. */
const inJson: Escape = (text) => JSON.stringify(text).slice(1, -1);

/** What no document of XML 1.0 may hold, not even as a reference (XML 1.0 §2.2). */
const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Entities; white space that a reader would turn into a space becomes a reference, so that it stays. */
const inXml: Escape = (text) =>
  escapeHtml(text.replaceAll(notInXml, '\ufffd')).replaceAll(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`);

const escapes: Readonly<Record<RuleContentType, Escape>> = {
  'text/html': escapeHtml,
  'text/plain': asItIs,
  'application/json': inJson,
  'text/xml': inXml,
  'application/problem+json': inJson,
  'text/markdown': asItIs,
};

/** How the value of a token is escaped for a content type (ERR-110). */
export const escapeFor = (contentType: RuleContentType): Escape => escapes[contentType];
