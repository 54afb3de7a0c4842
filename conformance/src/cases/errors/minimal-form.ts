import assert from 'node:assert/strict';
import type { Context } from '../../core/context.ts';
import { readPage } from '../../steps/html-page.ts';
import { assertHeaders } from './headers.ts';
import { assertDocument, assertInert, assertPolicy } from './html.ts';
import { askFor, mediaTypes, membersOf, type ErrorReply } from './replies.ts';

/** Statuses of minimal replies and their reason phrases (RFC 9110, section 15). */
const reasons: Readonly<Record<number, string>> = { 404: 'Not Found', 405: 'Method Not Allowed' };

/** Asserts the JSON form of a minimal reply, byte for byte except its sentence. Returns the sentence. */
function sentenceOf(reply: ErrorReply, status: number, what: string): string {
  const sentence = String(membersOf(reply, what)['detail']);
  assert.match(sentence, /^\S.*\.$/, `${what}: expected a sentence`);
  const body = { type: 'about:blank', title: reasons[status], status, detail: sentence };
  assert.equal(reply.text, `${JSON.stringify(body)}\n`, `${what}: expected exactly this`);
  return sentence;
}

/** Asserts that the reply to a path is minimal, in all four formats (ERR-100). */
export async function assertMinimal(
  t: Context,
  path: string,
  { status, method = 'GET' }: { readonly status: number; readonly method?: string },
): Promise<void> {
  let sentence = '';
  for (const type of ['application/json', ...mediaTypes] as const) {
    const what = `${method} ${path} as ${type}`;
    const reply = await askFor(t, path, type, { method });
    assert.equal(reply.status, status, `${what}: expected ${status}`);
    assertHeaders(t, reply, type, what);
    assert.equal(reply.headers.get('retry-after'), null, `${what}: expected no Retry-After`);
    if (status === 405) assert.equal(reply.headers.get('allow'), 'GET, HEAD', `${what}: expected Allow`);
    if (method === 'HEAD') {
      assert.equal(reply.text, '', `${what}: expected no body`);
      continue;
    }
    for (const word of [t.dialect.platformErrors.marker, 'error_code']) {
      assert.ok(!reply.text.includes(word), `${what}: expected no ${word}`);
    }
    if (type === 'text/html') {
      const page = readPage(reply.text);
      assertDocument(page, 'en', what);
      assertInert(page, what);
      assertPolicy(reply, page, what);
      for (const fact of [String(status), reasons[status] ?? '', sentence]) {
        assert.ok(page.text.includes(fact), `${what}: expected "${fact}" as text`);
      }
      assert.equal(page.all('h1').length, 1, `${what}: expected one h1`);
    } else if (type === 'text/markdown') {
      assert.equal(reply.text, `# ${status} ${reasons[status]}\n\n${sentence}\n`, `${what}: expected exactly this`);
    } else {
      sentence = sentenceOf(reply, status, what);
    }
  }
}
