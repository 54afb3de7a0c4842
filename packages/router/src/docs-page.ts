import { textResponse } from './text-response.ts';

interface Documented {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary?: string }>>>>;
}

/** One small page that lists the operations of the OpenAPI document; no script, nothing from elsewhere. */
export function docsPage(document: object): Response {
  const { info, paths } = document as Documented;
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { summary = '' }]) =>
        `<tr><td><b>${escape(method.toUpperCase())}</b></td><td><code>${escape(path)}</code></td><td>${escape(summary)}</td></tr>`,
    ),
  );
  const title = escape(info.title);
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}td{padding:.25rem 1rem .25rem 0;vertical-align:top}</style>
</head><body><h1>${title}</h1>
<p>Every request carries <code>Authorization: Bearer &lt;API token&gt;</code>. The whole description: <a href="/openapi.json">openapi.json</a>.</p>
<table>
${rows.join('\n')}
</table></body></html>
`;
  return textResponse(html, {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    },
  });
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}
