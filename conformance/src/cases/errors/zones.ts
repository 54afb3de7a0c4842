import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { Context } from '../../core/context.ts';
import { readPage } from '../../steps/html-page.ts';
import { rawGet, type RawRequest } from '../../tools/raw-get.ts';
import { assertInert } from './html.ts';
import { zoneName } from './json.ts';
import { askAs, demandAnyHost, forEach, membersOf, routeOf } from './replies.ts';

/** Returns the zone in the reply to a `Host`; undefined if the server rejects the host (RFC 9112, section 3.2). */
async function shownZone(t: Context, request: RawRequest): Promise<string | undefined> {
  const reply = await askAs(t, 'application/json', request);
  if (reply.type !== 'application/json') return undefined;
  return String(membersOf(reply, `Host: ${JSON.stringify(request.host ?? null)}`)['zone']);
}

const label = 'a'.repeat(63);

/** Returns a name of so many characters, in labels of 50. */
const nameOf = (length: number): string => `${'a'.repeat(50)}.`.repeat(6).slice(0, length);

export const errorsZones: Suite = suite(
  {
    id: 'errors/zones/host',
    requirements: ['ERR-046', 'ERR-088'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone', 'origin'],
    explanation: 'The zone is the host name of the request in lower case, without port and without final dot.',
    run: async (t) => {
      await demandAnyHost(t);
      await forEach(
        [
          ['shop.example', 'shop.example'],
          ['Shop.EXAMPLE', 'shop.example'],
          ['shop.example:8080', 'shop.example'],
          ['shop.example.', 'shop.example'],
          ['SHOP.example.:443', 'shop.example'],
          ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
          ['_acme.shop-1.example', '_acme.shop-1.example'],
          ['192.0.2.7', '192.0.2.7'],
          ['192.0.2.7:81', '192.0.2.7'],
          ['[2001:db8::7]', '[2001:db8::7]'],
          ['[2001:DB8::7]:8443', '[2001:db8::7]'],
          [`${label}.example`, `${label}.example`],
        ] as const,
        async ([host, zone]) => {
          assert.equal(await shownZone(t, { host }), zone, `Host: ${host}: expected this zone`);
        },
      );
    },
  },
  {
    id: 'errors/zones/none',
    requirements: ['ERR-089', 'ERR-153'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone', 'origin'],
    explanation: 'What is no host name or address, or is longer than 253 characters, gives an empty zone, or no reply.',
    run: async (t) => {
      await demandAnyHost(t);
      const bad = [
        `a${label}.example`,
        'a..example',
        '.example',
        nameOf(254),
        `${nameOf(253)}a.example`,
        '[::1',
        'a b',
      ];
      const worse = ['<b>.example', 'a"b.example', 'shop.example/path', 'user@shop.example', 'a,b'];
      await forEach([...bad, ...worse], async (host) => {
        const zone = await shownZone(t, { host });
        assert.ok(zone === undefined || zone === '', `Host: ${host.slice(0, 80)}: expected no zone, got ${zone}`);
      });
      assert.equal(await shownZone(t, { host: nameOf(253) }), nameOf(253), 'expected a name of 253 characters');
    },
  },
  {
    id: 'errors/zones/international',
    requirements: ['ERR-088', 'ERR-089'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone', 'origin'],
    explanation: 'An international name in UTF-8 is shown in its ASCII form, or not at all.',
    run: async (t) => {
      const host = Buffer.from('b\u00fccher.example').toString('latin1');
      const zone = await shownZone(t, { host });
      assert.ok([undefined, '', 'xn--bcher-kva.example'].includes(zone), `expected ASCII or nothing, got ${zone}`);
    },
  },
  {
    id: 'errors/zones/missing',
    requirements: ['ERR-089'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone', 'origin'],
    explanation: 'Without a Host, as HTTP/1.0 allows, the zone is empty, or what the server takes for its own name.',
    run: async (t) => {
      const zone = await shownZone(t, { host: null, version: '1.0' });
      // Some runtimes still make a URL, from the listening address or from this name.
      assert.ok([undefined, '', zoneName(t), 'localhost'].includes(zone), `expected no made-up zone, got ${zone}`);
    },
  },
  {
    id: 'errors/zones/forwarded',
    requirements: ['ERR-090'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone', 'origin'],
    explanation: 'Headers that a proxy would set do not change the zone.',
    run: async (t) => {
      const headers = [
        ['X-Forwarded-Host', 'evil.example'],
        ['Forwarded', 'host=evil.example'],
        ['X-Host', 'evil.example'],
        ['X-Original-Host', 'evil.example'],
      ] as const;
      await demandAnyHost(t);
      assert.equal(await shownZone(t, { host: 'shop.example', headers }), 'shop.example', 'expected the zone of Host');
    },
  },
  {
    id: 'errors/zones/markup',
    requirements: ['ERR-015', 'ERR-061', 'ERR-067'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone', 'origin'],
    explanation: 'Markup in host, path, query and headers shows up in no format as markup.',
    run: async (t) => {
      const evil = '<script>alert(1)</script>';
      const hosts = [`${evil}.example`, `a'"><img/src=x>.example`, '&lt;b&gt;.example', '</title><b>.example', 'a`b'];
      for (const accept of ['text/html', 'text/markdown', 'application/json']) {
        await forEach(hosts, async (host) => {
          const headers = [['User-Agent', evil] as const, ['Referer', `https://${evil}`] as const];
          const reply = await askAs(t, accept, { host, headers });
          const what = `Host: ${host} with Accept: ${accept}`;
          for (const piece of [evil, '<img/src=x>', '</title><b>', `a'">`]) {
            assert.ok(!reply.text.includes(piece), `${what}: expected no markup of the request`);
          }
          // Only the page itself; a proxy that rejects such a host has another page.
          if (accept === 'text/html' && reply.text.includes('Error 1020')) assertInert(readPage(reply.text), what);
        });
        // Returns a path and a query that no reply may repeat.
        const asked = `${routeOf(1020)}?q=${encodeURIComponent(evil)}&x='"<b>`;
        const { body } = await rawGet(t.zone, asked, { headers: [['Accept', accept]] });
        assert.ok(!Buffer.from(body).includes('alert(1)'), `${accept}: expected nothing of the query`);
        const lost = await rawGet(t.zone, `/cdn-cgi/error/%3Cscript%3Ealert(1)`, { headers: [['Accept', accept]] });
        assert.ok(!Buffer.from(lost.body).includes('alert(1)'), `${accept}: expected nothing of an unknown path`);
      }
    },
  },
);
