import { repoErrors, textResponse, type ErrorRow } from '@packhouse/base';
import { taggingErrors } from '@packhouse/tagging';
import { escapeHtml } from './docs-html.ts';
import { operationSection, type DocumentedOperation } from './docs-operation.ts';
import type { NamedSchemas } from './docs-schema.ts';

interface Documented {
  readonly info: { readonly title: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly components?: { readonly schemas?: NamedSchemas };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222;background:#fff}
h3{margin:2.5rem 0 .25rem}table{border-collapse:collapse}th{text-align:left;font-weight:600}
td,th{padding:.2rem 1.2rem .2rem 0;vertical-align:top;border-bottom:1px solid #ddd}
td:first-child{white-space:nowrap}td:last-child{overflow-wrap:anywhere}summary{cursor:pointer}code,pre{font:14px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}pre{background:#f4f4f4;padding:.75rem 1rem;overflow-x:auto}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}pre{background:#242424}td,th{border-color:#444}a{color:#8bf}}`;

/**
 * Renders the operations of the OpenAPI document, their errors, and an introduction to Git as one HTML page. The page
 * has no script and loads nothing.
 */
export function docsHtml(document: object): string {
  const { info, paths, servers = [], components = {} } = document as Documented;
  const origin = servers[0]?.url ?? '';
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const groups = Map.groupBy(operations, ({ operation }) => operation.tags?.[0] ?? '');
  const contents = operations.map(
    ({ method, path, operation }) =>
      `<tr><td><b>${escapeHtml(method.toUpperCase())}</b></td><td><code>${escapeHtml(path)}</code></td><td><a href="#${escapeHtml(operation.operationId ?? '')}">${escapeHtml(operation.summary ?? '')}</a></td></tr>`,
  );
  const sections = [...groups].map(
    ([group, members]) =>
      `<h2>${group === '' ? (groups.size > 1 ? 'Repositories' : 'Operations') : escapeHtml(group)}</h2>\n${members
        .map(({ method, path, operation }) =>
          operationSection({ method, path, origin }, operation, components.schemas ?? {}),
        )
        .join('\n')}`,
  );
  const title = escapeHtml(info.title);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${style}</style>
</head><body><h1>${title}</h1>
<p>Every request to the API carries <code>Authorization: Bearer &lt;API token&gt;</code>. Replies are JSON: <code>result</code>, <code>success</code>, <code>errors</code>, <code>messages</code>, lists also <code>result_info</code> with the way to the next page. The whole description for programs: <a href="openapi.json">openapi.json</a>. More: <a href="#git">Git</a>, <a href="#errors">errors</a>.</p>
<table>
${contents.join('\n')}
</table>
${gitSection}
${sections.join('\n')}
${errorSection(groups.has('Tags'))}
</body></html>
`;
}

/** Makes the reply with the page of {@link docsHtml}. */
export function docsPage(html: Uint8Array<ArrayBuffer>): Response {
  return textResponse(html, {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
    },
  });
}

const gitSection = `<h2 id="git">Git</h2>
<p>The <code>remote</code> of a repository is its URL for Git, over HTTP with protocol versions 0, 1 and 2. Git needs a token of that one repository, from the reply that created it or from <a href="#createToken">createToken</a>; the API token is not for Git. The token goes into a header, or is the password of any user name:</p>
<pre>git -c http.extraHeader=&quot;Authorization: Bearer $TOKEN&quot; push $REMOTE HEAD:refs/heads/main
git -c http.extraHeader=&quot;Authorization: Bearer $TOKEN&quot; clone $REMOTE</pre>
<p>Without a token Git is answered 401; with one that ended or is of another repository, 403. A token of scope <code>read</code> clones and fetches, <code>write</code> pushes too.</p>`;

/** Renders every error of the API (REPO-160 to REPO-172, TAG-154 to TAG-170), sorted by code. */
function errorSection(withTags: boolean): string {
  return `<h2 id="errors">Errors</h2>
<p>A reply that says no has <code>success: false</code> and in <code>errors</code> what was wrong: a code, a message, and for a bad value <code>source.pointer</code>, the member or parameter that held it. <code>reason</code> is the case in one word, <code>retryable</code> whether the same request may succeed later, <code>hint</code> what to do next. Some messages say more than this table, and <code>messages</code> may give the reason, such as which filter of several.</p>
${errorTable(repoErrors)}${
    withTags
      ? `\n<p>Operations on tags have these, too, with codes of their own:</p>
${errorTable(taggingErrors)}`
      : ''
  }`;
}

function errorTable(errors: Readonly<Record<string, ErrorRow>>): string {
  const rows = Object.values(errors)
    .toSorted((one, other) => one.code - other.code || one.status - other.status)
    .map(
      ({ code, status, reason, message }) =>
        `<tr><td><code>${code}</code></td><td>${status}</td><td><code>${reason}</code></td><td>${escapeHtml(message)}</td></tr>`,
    );
  return `<table><tr><th>code</th><th>HTTP</th><th>reason</th><th>message</th></tr>
${rows.join('\n')}
</table>`;
}
