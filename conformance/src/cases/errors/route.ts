import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import { same } from '../../tools/same.ts';
import { bySource } from './by-source.ts';
import { entries } from './catalogue-entries.ts';
import { assertHeaders, lastingHeaders } from './headers.ts';
import { assertMinimal } from './minimal-form.ts';
import { ask, askFor, assertForm, forEach, mediaTypes, routeOf } from './replies.ts';
import { meagreSettings, only } from '../../steps/settings.ts';

export const errorsRoute: Suite = suite(
  ...bySource({
    id: 'errors/route/every-code',
    requirements: ['ERR-001', 'ERR-011', 'ERR-092', 'ERR-118'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'Every code of the catalogue is shown with its own status, in each of the four formats.',
    run: async (t, codes) => {
      const grid = codes.flatMap((entry) => mediaTypes.map((type) => ({ entry, type })));
      await forEach(grid, async ({ entry, type }) => {
        const what = `${entry.code} as ${type}`;
        const reply = await askFor(t, routeOf(entry.code), type);
        same([reply.status, reply.type], [entry.http_status, type], `${what}: expected this status and type`);
        assertForm(reply, what);
        const expected = entry.retryable ? String(entry.retry_after) : null;
        assert.equal(reply.headers.get('retry-after'), expected, `${what}: expected this Retry-After`);
      });
    },
  }),
  {
    id: 'errors/route/all-headers',
    requirements: ['ERR-092'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation: 'The replies of the route have all headers of section 6.',
    run: async (t) => {
      await forEach(entries, async ({ code }) => {
        const type = mediaTypes[code % mediaTypes.length] ?? 'text/html';
        assertHeaders(t, await askFor(t, routeOf(code), type), type, `${code} as ${type}`);
      });
    },
  },
  {
    id: 'errors/route/unknown-code',
    requirements: ['ERR-094'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'A code that is not in the catalogue is answered 404.',
    run: async (t) => {
      for (const code of [9999, 100, 1999, 999_999_999]) {
        for (const method of ['GET', 'HEAD']) {
          const { status } = await ask(t, routeOf(code), { method });
          assert.equal(status, 404, `${method} of the code ${code}: expected 404`);
        }
      }
    },
  },
  {
    id: 'errors/route/minimal',
    requirements: ['ERR-094', 'ERR-100'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation: 'What is not found there gets the minimal reply, in all four formats, with the headers of section 6.',
    run: async (t) => {
      await assertMinimal(t, routeOf(9999), { status: 404 });
      await assertMinimal(t, routeOf(9999), { status: 404, method: 'HEAD' });
    },
  },
  {
    id: 'errors/route/no-code',
    requirements: ['ERR-095', 'ERR-100'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation: 'What is no code, or more than one segment, is answered 404 with the minimal reply.',
    run: async (t) => {
      const codes = [
        'abc',
        '0522',
        '+522',
        '522.0',
        '-1',
        '52',
        '5222222222',
        '522x',
        '0x20a',
        '1e3',
        '5_22',
        '1015,1020',
      ];
      const encoded = [
        '%2B522',
        '%00',
        '522%00',
        '%20522',
        '522%20',
        '522%2F',
        '%2F522',
        '%EF%BC%95%32%32',
        '%',
        '%zz',
      ];
      const segments = ['', '522/1', '522//', '/522', '522/html', 'x/522', '522;x=1', '1015:'];
      await forEach([...codes, ...encoded, ...segments], async (code) => {
        const reply = await askFor(t, routeOf(code), 'text/markdown');
        assert.equal(reply.status, 404, `${routeOf(code)}: expected 404`);
        assert.match(reply.text, /^# 404 Not Found\n\n\S.*\n$/, `${routeOf(code)}: expected the minimal reply`);
      });
      for (const path of ['/cdn-cgi/error', routeOf('abc')]) await assertMinimal(t, path, { status: 404 });
    },
  },
  {
    id: 'errors/route/same-code',
    requirements: ['ERR-095', 'ERR-096'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation: 'A final slash, any query, and percent-encoded digits make no difference.',
    run: async (t) => {
      const queries = ['?', '?x=1', '?522', '?format=json', '?a/b/', '?%', '?code=1020'];
      const paths = [
        '522',
        '522/',
        '%35%32%32',
        '52%32/',
        ...queries.flatMap((query) => [`522${query}`, `522/${query}`]),
      ];
      await forEach(paths, async (path) => {
        const reply = await askFor(t, routeOf(path), 'application/json');
        assert.equal(reply.status, 522, `${routeOf(path)}: expected the error 522`);
        assert.match(reply.text, /"error_code":522\b/, `${routeOf(path)}: expected the error 522`);
      });
    },
  },
  {
    id: 'errors/route/methods',
    requirements: ['ERR-097', 'ERR-100'],
    level: 'MUST',
    beyond: true,
    needs: ['zone'],
    explanation: 'Another method than GET and HEAD is answered 405 with Allow and the minimal reply.',
    run: async (t) => {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        await assertMinimal(t, routeOf(522), { status: 405, method });
      }
      const reply = await askFor(t, routeOf(1015), 'application/json', { method: 'POST', body: 'x'.repeat(100_000) });
      assert.equal(reply.status, 405, 'a POST with a body: expected 405');
    },
  },
  {
    id: 'errors/route/no-credential',
    requirements: ['ERR-098'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation: 'The route needs no credential, and one that is sent, right or wrong, makes no difference.',
    run: async (t) => {
      const plain = await askFor(t, routeOf(1020), 'text/html');
      // The zone may belong to another party, which must not see a token of the service.
      const right = t.zone === t.origin ? [`Bearer ${t.apiToken}`] : [];
      for (const authorization of [...right, 'Bearer none', 'Basic eDp5', 'x']) {
        const reply = await askFor(t, routeOf(1020), 'text/html', { headers: { authorization } });
        same(
          [reply.status, lastingHeaders(t, reply), reply.bytes.length],
          [plain.status, lastingHeaders(t, plain), plain.bytes.length],
          'expected the same reply with a credential',
        );
      }
    },
  },
  {
    id: 'errors/route/switched-off',
    requirements: ['ERR-099', 'ERR-100'],
    level: 'MUST',
    beyond: true,
    needs: ['zone', 'settings'],
    settings: only(meagreSettings, 'error_route'),
    explanation: 'With error_route off nothing is served there, to no method.',
    run: async (t) => {
      await assertMinimal(t, routeOf(522), { status: 404 });
      await assertMinimal(t, routeOf(522), { status: 404, method: 'POST' });
    },
  },
  {
    id: 'errors/route/apart',
    requirements: ['ERR-001', 'REPO-008'],
    level: 'MUST',
    needs: ['control plane'],
    explanation: 'REST and Git fail in their own forms, whatever format of platform errors is asked for.',
    run: async (t) => {
      const repo = await t.createRepo();
      for (const accept of ['text/markdown', 'text/html', 'application/problem+json']) {
        const rest = await t.rest('GET', `/namespaces/${t.name('none')}`, { headers: { accept } });
        same([rest.status, rest.json?.success], [404, false], `REST with Accept: ${accept}: expected its envelope`);
        const git = await t.fetch(`${repo.remote}/none`, { headers: { accept } });
        const type = git.headers.get('content-type');
        same([git.status, type], [404, 'text/plain; charset=utf-8'], `Git with Accept: ${accept}: expected its text`);
        same((await git.text()).trim(), 'Not found', `Git with Accept: ${accept}: expected its text`);
      }
    },
  },
  {
    id: 'errors/route/unknown-paths',
    requirements: ['ERR-100', 'REPO-029'],
    level: 'MUST',
    beyond: true,
    explanation:
      'At the origin of the service, a path of no area is answered 404 with the minimal reply, to any method, in the negotiated format.',
    run: async (t) => {
      await assertMinimal(t, `${t.origin}/${t.name('none')}`, { status: 404 });
      await assertMinimal(t, `${t.origin}/cdn-cgi/none`, { status: 404, method: 'POST' });
      await assertMinimal(t, `${t.origin}/${t.name('none')}`, { status: 404, method: 'HEAD' });
      for (const path of ['/cdn-cgi', '/cdn-cgi/', '/cdn-cgi/errors/522', '/CDN-CGI/error/522']) {
        assert.equal((await ask(t, t.origin + path)).status, 404, `${path}: expected 404`);
      }
    },
  },
);
