import { negotiate } from '@packhouse/problem-details';
import { textResponse } from '@packhouse/base';
import type { Page, Block } from './page.ts';
import { pageHtml } from './page-html.ts';
import { pagePolicy } from './page-style.ts';

/** The media type of a page in a reply. */
type Form = 'text/html' | 'text/markdown' | 'application/json';

const encoder = new TextEncoder();

/** Makes the reply with the page in the format that `Accept` asks for (REPO-212), with the headers of REPO-214. */
export function pageResponse(request: Request, page: Page): Response {
  const form = formFor(request);
  return respond(form, render(page, form));
}

/** Caches the replies of a page that never changes. Each format is rendered at its first request. */
export function keptPage(make: () => Page): (request: Request) => Response {
  const kept = new Map<Form, Uint8Array<ArrayBuffer>>();
  return (request) => {
    const form = formFor(request);
    const bytes = kept.get(form) ?? encoder.encode(render(make(), form));
    kept.set(form, bytes);
    return respond(form, bytes);
  };
}

function formFor(request: Request): Form {
  const type = negotiate(request.headers.get('accept'));
  return type === 'application/problem+json' ? 'application/json' : type;
}

function render(page: Page, form: Form): string {
  if (form === 'application/json') return `${JSON.stringify(page.data)}\n`;
  return form === 'text/html' ? pageHtml(page) : pageMarkdown(page);
}

function respond(form: Form, text: string | Uint8Array<ArrayBuffer>): Response {
  return textResponse(text, {
    status: 200,
    headers: {
      'content-type': `${form}; charset=utf-8`,
      'cache-control': 'private, max-age=0, no-store, no-cache, must-revalidate',
      vary: 'Accept',
      'content-language': 'en',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'SAMEORIGIN',
      ...(form === 'text/html' && { 'content-security-policy': pagePolicy }),
    },
  });
}

/** Renders a page as Markdown. */
export function pageMarkdown({ title, intro, sections }: Page): string {
  const parts = [
    `# ${title}`,
    ...intro.map(blockMarkdown),
    ...sections.flatMap(({ heading, blocks }) => [`## ${heading}`, ...blocks.map(blockMarkdown)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function blockMarkdown(block: Block): string {
  if (typeof block === 'string') return block;
  if ('code' in block) return `\`\`\`sh\n${block.code}\n\`\`\``;
  return block.items.map((item) => `- ${item}`).join('\n');
}
