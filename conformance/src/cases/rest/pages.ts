import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { Context } from '../../core/context.ts';
import { readPage, type HtmlPage } from '../../steps/html-page.ts';
import { isLoopback } from '../../steps/loopback.ts';
import { entries } from '../errors/catalogue-entries.ts';
import { assertDocument, assertInert, assertPolicy } from '../errors/html.ts';
import { askFor, forEach } from '../errors/replies.ts';

/**
 * Requests a page in each of its forms, and checks REPO-212 and REPO-214. Ends the case if the page is switched off.
 */
async function formsOf(
  t: Context,
  address: string,
): Promise<{ readonly page: HtmlPage; readonly markdown: string; readonly json: unknown }> {
  const html = await askFor(t, address, 'text/html');
  if (html.status === 404) t.unsupported(`${address} is answered 404: it is switched off`);
  assert.deepEqual([html.status, html.type], [200, 'text/html'], `${address}: expected HTML`);
  const page = readPage(html.text);
  assertDocument(page, 'en', address);
  assertInert(page, address);
  assertPolicy(html, page, address);
  assert.equal(page.all('h1').length, 1, `${address}: expected one h1`);
  for (const [name, value] of [
    ['vary', /\baccept\b/i],
    ['x-content-type-options', /^nosniff$/],
    ['content-language', /^en$/],
    ['referrer-policy', /^same-origin$/],
    ['x-frame-options', /^SAMEORIGIN$/],
  ] as const) {
    assert.match(html.headers.get(name) ?? '', value, `${address}: expected ${name}`);
  }
  const head = await askFor(t, address, 'text/html', { method: 'HEAD' });
  assert.deepEqual([head.status, head.text], [200, ''], `HEAD ${address}: expected 200 without a body`);
  const markdown = await askFor(t, address, 'text/markdown');
  assert.deepEqual([markdown.status, markdown.type], [200, 'text/markdown'], `${address}: expected Markdown`);
  assert.match(markdown.text, /^# \S/, `${address}: expected Markdown with a title`);
  for (const accept of ['application/json', 'application/problem+json']) {
    const { status, type } = await askFor(t, address, accept);
    assert.deepEqual([status, type], [200, 'application/json'], `${address} as ${accept}: expected JSON`);
  }
  const { text } = await askFor(t, address, 'application/json');
  return { page, markdown: markdown.text, json: JSON.parse(text) };
}

/**
 * Returns the page and anchor for a documentation address. The address must end in this path, or be this path in a
 * dialect that names other places. Ends the case if a setting names another place.
 */
function pageOf(
  t: Context,
  address: string | undefined,
  path: string,
): { readonly place: string; readonly anchor: string } {
  const isOwn = address !== undefined && new URL(address).origin === new URL(t.origin).origin;
  if (!isOwn && t.dialect.name === 'neutral') {
    t.unsupported(address === undefined ? 'errors name no page' : `${address} is elsewhere, as docs_base may say`);
  }
  if (isOwn) assert.ok(address.endsWith(path), `${address}: expected it to end in ${path}`);
  const [place = '', anchor = ''] = (isOwn ? address : `${t.origin}/docs${path}`).split('#');
  return { place, anchor };
}

export const pages: Suite = suite(
  {
    id: 'rest/pages/front',
    requirements: ['REPO-210', 'REPO-211', 'REPO-212', 'REPO-214'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    explanation:
      'In the neutral dialect / is a page, in each form, with the state of the service and the first commands.',
    run: async (t) => {
      const address = `${t.origin}/`;
      if (t.dialect.name !== 'neutral') {
        assert.equal((await askFor(t, address, 'text/html')).status, 404, 'GET /: expected 404 in this dialect');
        return;
      }
      const { page, markdown, json } = await formsOf(t, address);
      // A service with a `public_url` shows that one, regardless of the name that the suite uses.
      const isSeen = isLoopback((json as { readonly rest_url: string }).rest_url) && isLoopback(t.origin);
      const at = isSeen ? t.origin.slice(t.origin.indexOf(':')) : '';
      const rest = `${at}${t.dialect.basePath}/accounts/`;
      for (const [form, text] of Object.entries({ HTML: page.text, Markdown: markdown, JSON: JSON.stringify(json) })) {
        assert.match(text, /\bready\b/, `${form}: expected the state of the service`);
        assert.ok(text.includes(rest), `${form}: expected a command with ${rest}`);
        for (const command of ['curl ', 'push ', 'clone ']) {
          assert.ok(text.includes(command), `${form}: expected a command with ${command}`);
        }
        const named = t.account === 'local' ? [] : [`/accounts/${t.account}/`, `/${t.account}/default/`];
        for (const name of named) assert.ok(!text.includes(name), `${form}: expected no name of the account`);
      }
    },
  },
  {
    id: 'rest/pages/error-codes',
    requirements: ['REPO-016', 'REPO-212', 'REPO-213', 'REPO-214'],
    level: 'MUST',
    beyond: true,
    explanation: 'The documentation address of an error of the REST API leads to an anchor for its code.',
    run: async (t) => {
      const replies = [
        await t.rest('GET', `/namespaces/${t.name('none')}`),
        await t.rest('GET', '/namespaces', { token: null }),
        await t.rest('GET', '/none'),
        await t.rest('POST', '/namespaces', { body: '[' }),
      ];
      for (const { json } of replies) {
        const [{ code, documentation_url: link }] = json.errors;
        const { place, anchor } = pageOf(t, link, `/repos/errors#${code}`);
        const { page, markdown } = await formsOf(t, place);
        const found = page.elements.filter(({ attributes }) => attributes.get('id') === anchor);
        assert.equal(found.length, 1, `${place}: expected one anchor ${anchor}`);
        const { status } = await askFor(t, `${place}/`, 'text/markdown');
        assert.equal(status, 200, `${place}/: expected the same page`);
        assert.ok(markdown.includes(`\n## ${anchor}\n`), `${place}: expected a heading ${anchor} in Markdown`);
        assert.ok(page.text.includes(json.errors[0].message), `${place}: expected the message of ${anchor}`);
      }
    },
  },
  {
    id: 'rest/pages/tag-error-codes',
    requirements: ['REPO-213', 'TAG-024'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    explanation: 'The documentation address of an error of tagging leads to an anchor for its code.',
    run: async (t) => {
      const replies = [
        await t.tags('GET', '/tags/resources?tag=%3D'),
        await t.tags('GET', '/tags/keys', { token: null }),
        await t.tags('GET', '/tags/none'),
      ];
      for (const { json } of replies) {
        const [{ code, documentation_url: link }] = json.errors;
        const { place, anchor } = pageOf(t, link, `/tags/errors#${code}`);
        const { page } = await formsOf(t, place);
        const found = page.elements.filter(({ attributes }) => attributes.get('id') === anchor);
        assert.equal(found.length, 1, `${place}: expected one anchor ${anchor}`);
      }
    },
  },
  {
    id: 'rest/pages/platform-codes',
    requirements: ['ERR-005', 'REPO-212', 'REPO-213', 'REPO-214'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation: 'The type of each platform error leads to a page about its code, and a code of none has no page.',
    run: async (t) => {
      const places = await forEach(entries, async ({ code, error_name, detail }) => {
        const error = await askFor(t, `/cdn-cgi/error/${code}`, 'application/json');
        const { place } = pageOf(t, String(JSON.parse(error.text).type), `/errors/${code}`);
        const { status, text } = await askFor(t, place, 'text/markdown');
        assert.equal(status, 200, `${code}: expected a page at ${place}`);
        for (const fact of [String(code), error_name, detail]) {
          assert.ok(text.includes(fact), `${code}: expected "${fact}" on its page`);
        }
        return place;
      });
      const [first = ''] = places;
      await formsOf(t, first);
      const list = first.replace(/\/\d+$/, '');
      const { page } = await formsOf(t, list);
      const links = page.all('a').map(({ attributes }) => new URL(attributes.get('href') ?? '', list).href);
      assert.deepEqual(
        places.filter((place) => !links.includes(place)),
        [],
        `${list}: expected a link to each code`,
      );
      const none = await askFor(t, `${list}/9999`, 'text/html');
      assert.equal(none.status, 404, 'a code of none: expected 404');
    },
  },
  {
    id: 'rest/pages/openapi-error-route',
    requirements: ['REPO-215'],
    level: 'SHOULD',
    beyond: true,
    readOnly: true,
    explanation: 'The OpenAPI document has the error route, with each status of a code, where the route is served.',
    run: async (t) => {
      const reply = await t.fetch(`${t.origin}/openapi.json`);
      const text = await reply.text();
      if (reply.status === 404) t.unsupported('/openapi.json is answered 404: it is switched off');
      const shown = await t.fetch(`${t.origin}/cdn-cgi/error/1015`);
      await shown.arrayBuffer();
      if (shown.status === 404) t.unsupported('/cdn-cgi/error/1015 is answered 404: it is switched off');
      const operation = JSON.parse(text).paths['/cdn-cgi/error/{code}']?.get;
      assert.ok(operation !== undefined, 'expected a GET of /cdn-cgi/error/{code}');
      const statuses = new Set(entries.map(({ http_status }) => String(http_status)));
      assert.deepEqual(
        [...statuses].filter((status) => operation.responses[status] === undefined),
        [],
        'expected each status',
      );
    },
  },
);
