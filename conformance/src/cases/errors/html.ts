import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { suite, type Suite } from '../../core/case.ts';
import type { Context } from '../../core/context.ts';
import { readPage, spaced, type HtmlElement, type HtmlPage } from '../../steps/html-page.ts';
import { same } from '../../tools/same.ts';
import { bySource } from './by-source.ts';
import { entries, entryOf, variety, type CatalogueEntry } from './catalogue-entries.ts';
import { zoneName } from './json.ts';
import { askFor, forEach, rayIdOf, routeOf, type ErrorReply } from './replies.ts';

/** Returns the page of a code, and its reply. */
async function pageOf(
  t: Context,
  { code }: CatalogueEntry,
): Promise<{ readonly reply: ErrorReply; readonly page: HtmlPage }> {
  const reply = await askFor(t, routeOf(code), 'text/html');
  assert.equal(reply.type, 'text/html', `${code}: expected HTML`);
  return { reply, page: readPage(reply.text) };
}

/** Returns the content of a `meta` element with this name. */
function metaOf(page: HtmlPage, name: string): string | undefined {
  return page
    .all('meta')
    .find(({ attributes }) => attributes.get('name')?.toLowerCase() === name)
    ?.attributes.get('content');
}

/** Asserts a complete document with the head of ERR-062. */
export function assertDocument(page: HtmlPage, language: string, what: string): void {
  assert.ok(page.doctype, `${what}: expected the doctype first`);
  assert.equal(page.all('html')[0]?.attributes.get('lang'), language, `${what}: expected lang`);
  const charset = page.all('meta').find(({ attributes }) => attributes.has('charset'));
  assert.equal(charset?.attributes.get('charset')?.toLowerCase(), 'utf-8', `${what}: expected a charset`);
  assert.match(metaOf(page, 'viewport') ?? '', /width=device-width/, `${what}: expected a viewport`);
  assert.equal(metaOf(page, 'color-scheme'), 'light dark', `${what}: expected color-scheme`);
  assert.equal(metaOf(page, 'robots'), 'noindex, nofollow', `${what}: expected robots`);
}

/** Asserts that a page runs no script, sends nothing and fetches nothing (ERR-065, ERR-066). */
export function assertInert(page: HtmlPage, what: string): void {
  for (const name of ['script', 'form', 'iframe', 'object', 'embed', 'base', 'audio', 'video']) {
    same(page.all(name).length, 0, `${what}: expected no <${name}>`);
  }
  for (const { name, attributes } of page.elements) {
    for (const [key, value] of attributes) {
      assert.doesNotMatch(key, /^on/, `${what}: expected no event handler in <${name}>`);
      assert.doesNotMatch(value, /^\s*javascript:/i, `${what}: expected no script in a link`);
      assert.notEqual(key, 'style', `${what}: expected no style attribute, which the policy forbids`);
      // A link fetches nothing until a user follows it, and parts of a drawing may refer to each other.
      if (/^(?:src|srcset|(?:xlink:)?href)$/.test(key) && name !== 'a') {
        assert.match(value, /^(?:data:|#)/, `${what}: expected <${name}> to fetch nothing`);
      }
      if (name === 'meta') assert.notEqual(value.toLowerCase(), 'refresh', `${what}: expected no refresh`);
    }
  }
  const styles = page.all('style');
  assert.equal(styles.length, 1, `${what}: expected one style element`);
  const css = styles[0]?.text ?? '';
  assert.doesNotMatch(css, /@import|@font-face|url\(\s*["']?(?!data:)/i, `${what}: expected styles that fetch nothing`);
  const icon = page.all('link').find(({ attributes }) => attributes.get('rel') === 'icon');
  assert.equal(icon?.attributes.get('href'), 'data:,', `${what}: expected an icon that causes no request`);
}

/** Asserts the policy of ERR-070, with the hash of the only style element. */
export function assertPolicy({ headers }: ErrorReply, page: HtmlPage, what: string): void {
  const hash = createHash('sha256')
    .update(page.all('style')[0]?.text ?? '')
    .digest('base64');
  assert.equal(
    headers.get('content-security-policy'),
    `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
    `${what}: expected this policy`,
  );
}

/** Returns the items of every list with three of them. */
function threes(page: HtmlPage): readonly (readonly string[])[] {
  return ['ul', 'ol']
    .flatMap((name) => page.all(name))
    .map((list) => list.within.filter((one) => one.name === 'li' && one.parent === list).map(({ text }) => text))
    .filter((items) => items.length === 3);
}

/** Returns true if an element is inside one of this name, at any depth. */
const within = (element: HtmlElement, name: string): boolean =>
  element.parent !== undefined && (element.parent.name === name || within(element.parent, name));

export const errorsHtml: Suite = suite(
  {
    id: 'errors/html/document',
    requirements: ['ERR-062', 'ERR-065', 'ERR-067', 'ERR-118'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation:
      'Each page is a complete document with language, metas and title, without scripts, forms and handlers.',
    run: async (t) => {
      await forEach(entries, async (entry) => {
        const { reply, page } = await pageOf(t, entry);
        const what = `${entry.code}`;
        assertDocument(page, 'en', what);
        const texts = reply.text.replaceAll(/<style[^]*?<\/style>|<[^>]*>/g, '');
        assert.doesNotMatch(texts, /["']/, `${what}: expected quotation marks in texts to be escaped`);
        const title = `Error ${entry.code}: ${entry.short_name} | ${zoneName(t)}`;
        assert.equal(page.all('title')[0]?.text, title, `${what}: expected this title`);
        for (const name of ['script', 'form']) same(page.all(name).length, 0, `${what}: expected no <${name}>`);
        for (const { attributes } of page.elements) {
          for (const [key, value] of attributes) {
            assert.doesNotMatch(key, /^on/, `${what}: expected no event handler`);
            assert.doesNotMatch(value, /^\s*javascript:/i, `${what}: expected no script in a link`);
          }
        }
      });
    },
  },
  ...bySource({
    id: 'errors/html/shown',
    requirements: ['ERR-063', 'ERR-071', 'ERR-085'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'The page shows every fact of the error as text: what happened, what to do, ids, time and footer.',
    run: async (t, codes) => {
      await forEach(codes, async (entry) => {
        const { reply, page } = await pageOf(t, entry);
        assert.match(page.text, /\b\d{1,2}:\d{2}\b.{0,20}?(?:UTC|GMT|Z\b)/, `${entry.code}: expected the time in UTC`);
        const facts = {
          code: String(entry.code),
          'short name': entry.short_name,
          'error name': entry.error_name,
          'ray id': rayIdOf(t, reply, `${entry.code}`),
          zone: zoneName(t),
          'what happened': entry.detail,
          guidance: spaced(entry.what_you_should_do.replaceAll('**', '')),
          footer: t.dialect.platformErrors.footer,
          ...(entry.retryable ? { seconds: String(entry.retry_after) } : {}),
        };
        for (const [name, fact] of Object.entries(facts)) {
          assert.ok(page.text.includes(fact), `${entry.code}: expected the ${name} "${fact}" as text`);
        }
        const bold = page.all('strong').map(({ text }) => text);
        const directive = entry.retryable ? 'Wait and retry.' : 'Do not retry.';
        assert.ok(bold.includes(directive), `${entry.code}: expected the directive in bold`);
        assert.ok(!page.text.includes('**'), `${entry.code}: expected no Markdown in the page`);
      });
    },
  }),
  {
    id: 'errors/html/parties',
    requirements: ['ERR-064'],
    level: 'SHOULD',
    readOnly: true,
    needs: ['zone'],
    explanation: 'Visitor, owner and platform stand in one list, and the words beside the one that failed are others.',
    run: async (t) => {
      // Two codes for each party, so that only the party can explain a difference between the lists.
      const of = { visitor: [1003, 1015], owner: [522, 1101], platform: [500, 1105] };
      const lists = await forEach(Object.entries(of), async ([party, codes]) => {
        const [one, two] = await Promise.all(codes.map(async (code) => threes((await pageOf(t, entryOf(code))).page)));
        const shared = one?.find((items) => two?.some((others) => others.join('|') === items.join('|')));
        assert.ok(shared !== undefined, `${codes.join(' and ')}: expected one list of the three parties`);
        return { party, items: shared };
      });
      const failing = lists.map(({ party, items }) => {
        const others = lists.filter((one) => one.party !== party);
        const places = items.flatMap((item, at) => (others.every((one) => one.items[at] !== item) ? [at] : []));
        assert.equal(
          places.length,
          1,
          `${party}: expected one of the three to be marked in words: ${items.join('; ')}`,
        );
        return places[0];
      });
      assert.equal(new Set(failing).size, 3, 'expected another mark for each party');
    },
  },
  {
    id: 'errors/html/no-requests',
    requirements: ['ERR-066', 'ERR-070'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation: 'The page causes no request, and its policy allows its one style element by its hash.',
    run: async (t) => {
      await forEach(entries, async (entry) => {
        const { reply, page } = await pageOf(t, entry);
        assertInert(page, `${entry.code}`);
        assertPolicy(reply, page, `${entry.code}`);
      });
    },
  },
  {
    id: 'errors/html/structure',
    requirements: ['ERR-068'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation: 'The page has main, footer, one h1, an h2 for each section, a list of facts, and a time.',
    run: async (t) => {
      for (const entry of variety) {
        const { page } = await pageOf(t, entry);
        const what = `${entry.code}`;
        for (const name of ['main', 'footer', 'h1']) same(page.all(name).length, 1, `${what}: expected one <${name}>`);
        const [happened, next] = [entry.detail, spaced(entry.what_you_should_do.replaceAll('**', ''))].map((text) =>
          page.text.indexOf(text),
        );
        assert.ok(Number(happened) < Number(next), `${what}: expected what happened before what to do`);
        const headings = page.elements.filter(({ name }) => /^h[1-6]$/.test(name));
        assert.equal(headings[0]?.name, 'h1', `${what}: expected the h1 first`);
        assert.ok(page.all('h2').length >= 2, `${what}: expected a heading for each section`);
        for (const { name, text } of headings) {
          assert.match(name, /^h[12]$/, `${what}: expected no heading below h2`);
          assert.notEqual(text, '', `${what}: expected headings with words`);
        }
        for (const section of page.all('section')) {
          const its = section.within.filter(({ name }) => name === 'h2');
          assert.equal(its.length, 1, `${what}: expected one h2 in each section`);
        }
        const facts = page.all('dl');
        assert.ok(facts.length > 0, `${what}: expected a dl`);
        for (const { within: inside } of facts) {
          const kinds = inside.map(({ name }) => name);
          assert.ok(kinds.includes('dt') && kinds.includes('dd'), `${what}: expected terms and their values`);
        }
        const times = page.all('time');
        assert.ok(times.length > 0, `${what}: expected a time element`);
        for (const time of times) {
          assert.ok(within(time, 'body'), `${what}: expected the time to be shown`);
          const stamp = time.attributes.get('datetime') ?? '';
          assert.match(stamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, `${what}: expected a datetime in UTC`);
          assert.ok(time.text.includes(stamp.slice(11, 16)), `${what}: expected the time ${stamp} as text`);
        }
      }
    },
  },
  {
    id: 'errors/html/size',
    requirements: ['ERR-154'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation: 'No page of a built-in code is larger than 16,384 bytes.',
    run: async (t) => {
      await forEach(entries, async (entry) => {
        const { reply } = await pageOf(t, entry);
        assert.ok(reply.bytes.length <= 16_384, `${entry.code}: expected at most 16,384 bytes`);
      });
    },
  },
);
