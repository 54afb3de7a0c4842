import assert from 'node:assert/strict';
import { suite, type Case, type Suite } from '../../core/case.ts';
import type { Context } from '../../core/context.ts';
import { rawGet } from '../../tools/raw-get.ts';
import { negotiationRows, type NegotiationRow } from './negotiation-rows.ts';
import {
  assertForm,
  ask,
  askFor,
  forEach,
  fromRaw,
  isTooLong,
  membersOf,
  routeOf,
  type ErrorReply,
} from './replies.ts';

const path = routeOf(1015);

function assertType(reply: ErrorReply, type: string, what: string): void {
  assert.equal(reply.status, 429, `${what}: expected the error itself, never 406`);
  assert.equal(reply.type, type, `${what}: expected this media type`);
  assertForm(reply, what);
}

const explanations: Readonly<Record<NegotiationRow['theme'], string>> = {
  types: 'The type with the highest weight, and of equal ones the first, is the type of the reply.',
  wildcards:
    'A wildcard stands for the first of its formats that the header does not name, at its own place and weight.',
  weights: 'Weights decide before places, the first weight of an element counts, and weight 0 excludes.',
  syntax: 'Case, parameters, quoted strings and empty elements are read as HTTP has them.',
  unreadable: 'What is no media range, has no legal weight or names no format is left out, and HTML is the rest.',
  limits: 'The first 64 elements and 8,192 characters of the header count.',
};

/** Declares one case for the rows of a theme. Rows that go beyond the public service are a separate case. */
function rowsOf(theme: NegotiationRow['theme'], beyond: boolean): readonly Case[] {
  const rows = negotiationRows.filter((row) => row.theme === theme && (row.beyond ?? false) === beyond);
  if (rows.length === 0) return [];
  const further = theme === 'limits' ? ['NEG-007', 'ERR-151'] : theme === 'unreadable' ? ['NEG-001', 'NEG-003'] : [];
  return [
    {
      id: `errors/negotiation/${theme}${beyond ? '-beyond' : ''}`,
      requirements: [...rows.map(({ id }) => id), ...further],
      level: 'MUST',
      ...(beyond ? { beyond } : {}),
      readOnly: true,
      needs: ['zone'],
      explanation: explanations[theme],
      run: async (t) => {
        const asked = rows.flatMap(({ id, accept, type }) => accept.map((header) => ({ id, header, type })));
        await forEach(asked, async ({ id, header, type }) => {
          const reply = await askFor(t, path, header);
          if (isTooLong(header, reply)) t.skip(`needs a service that takes a header of ${header.length} characters`);
          assertType(reply, type, `${id}: Accept: ${header.slice(0, 80)}`);
        });
      },
    },
  ];
}

const themes = ['types', 'wildcards', 'weights', 'syntax', 'unreadable', 'limits'] as const;

/** Sends requests that `fetch` cannot send: without the header, or with the same header twice. */
async function askRaw(t: Context, headers: readonly (readonly [name: string, value: string])[]): Promise<ErrorReply> {
  return fromRaw(await rawGet(t.zone, path, { headers }));
}

export const errorsNegotiation: Suite = suite(
  ...themes.flatMap((theme) => [...rowsOf(theme, false), ...rowsOf(theme, true)]),
  {
    id: 'errors/negotiation/digits',
    requirements: ['NEG-003', 'NEG-006'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'Weights compare as numbers, whatever the number of their digits and the case of their q.',
    run: async (t) => {
      const [json, markdown] = ['application/json', 'text/markdown'];
      const weights = [
        ['0.5', '0.55'],
        ['0.5', '0.501'],
        ['0.499', '0.5'],
        ['0.09', '0.1'],
        ['0.999', '1'],
        ['0', '0.001'],
      ] as const;
      const asked = weights.flatMap(([less, more]) =>
        ['q', 'Q'].flatMap((q) => [
          `${json};${q}=${less}, ${markdown};${q}=${more}`,
          `${markdown};${q}=${more}, ${json};${q}=${less}`,
        ]),
      );
      await forEach(asked, async (header) => assertType(await askFor(t, path, header), markdown, header));
      const equal = `${markdown};q=0.5, ${json};q=0.50`;
      assertType(await askFor(t, path, equal), markdown, equal);
    },
  },
  {
    id: 'errors/negotiation/no-header',
    requirements: ['NEG-001', 'NEG-011', 'ERR-118'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone', 'origin'],
    explanation: 'A request without an Accept header is answered in HTML.',
    run: async (t) => {
      assertType(await askRaw(t, []), 'text/html', 'no Accept');
    },
  },
  {
    id: 'errors/negotiation/two-lines',
    requirements: ['NEG-049'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone', 'origin'],
    explanation: 'Several lines of Accept count as one, in their order.',
    run: async (t) => {
      const lines = ['text/markdown', 'application/json'].map((value) => ['Accept', value] as const);
      assertType(await askRaw(t, lines), 'text/markdown', 'Markdown, then JSON, in two lines');
      assertType(await askRaw(t, lines.toReversed()), 'application/json', 'JSON, then Markdown, in two lines');
      const weighed = [['Accept', 'text/markdown;q=0.5'] as const, ['accept', 'text/html;q=0.6'] as const];
      assertType(await askRaw(t, weighed), 'text/html', 'HTML with a higher weight in the second line');
    },
  },
  {
    id: 'errors/negotiation/control-character',
    requirements: ['NEG-053'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone', 'origin'],
    explanation: 'A header of one control character gets HTML, where the server takes it for HTTP at all.',
    run: async (t) => {
      const reply = await askRaw(t, [['Accept', '\u0001']]);
      // RFC 9110, section 5.5, lets a server refuse such a field.
      if (reply.status === 400) return;
      assertType(reply, 'text/html', 'Accept with a byte of value 1');
    },
  },
  {
    id: 'errors/negotiation/nothing-else',
    requirements: ['NEG-009', 'ERR-118'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'User-Agent, path, query and method play no part.',
    run: async (t) => {
      const agents = ['curl/8.5.0', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', 'python-httpx/0.27', 'x'];
      const paths = [routeOf(522), `${routeOf(1020)}?format=json`, `${routeOf(1000)}/`, routeOf(500)];
      for (const [accept, type] of [
        ['text/markdown', 'text/markdown'],
        ['application/json', 'application/json'],
        ['*/*', 'text/html'],
      ] as const) {
        for (const agent of agents) {
          const reply = await askFor(t, path, accept, { headers: { 'user-agent': agent } });
          assertType(reply, type, `Accept: ${accept} from ${agent}`);
        }
        for (const other of paths) {
          for (const method of ['GET', 'HEAD']) {
            const reply = await askFor(t, other, accept, { method });
            assert.equal(reply.type, type, `${method} ${other} with Accept: ${accept}: expected this media type`);
          }
        }
      }
    },
  },
  {
    id: 'errors/negotiation/same-bytes',
    requirements: ['NEG-010'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'Both JSON media types get the same bytes, but for the ray id and the time.',
    run: async (t) => {
      const bodyFor = async (accept: string): Promise<string> => {
        const reply = await askFor(t, path, accept);
        const { ray_id: ray, timestamp } = membersOf(reply, `Accept: ${accept}`);
        return reply.text.replaceAll(String(ray), '(ray id)').replace(String(timestamp), '(time)');
      };
      assert.equal(
        await bodyFor('application/problem+json'),
        await bodyFor('application/json'),
        'expected the same bytes',
      );
    },
  },
  {
    id: 'errors/negotiation/every-source',
    requirements: ['ERR-002', 'ERR-100'],
    level: 'MUST',
    beyond: true,
    needs: ['zone'],
    explanation: 'The error route and its refusals negotiate alike.',
    run: async (t) => {
      const header = 'text/html;q=0.3, application/xhtml+xml;q=0, application/*;q=0.8, application/json;q=0.8';
      const sources = [
        [routeOf(522), 'GET', 522],
        [routeOf(9999), 'GET', 404],
        [routeOf(522), 'POST', 405],
      ] as const;
      for (const accept of [header, 'text/*', '*/*', 'text/markdown, */*;q=0.1', 'none']) {
        const types = await forEach(sources, async ([at, method, status]) => {
          const reply = await ask(t, at, { method, headers: { accept } });
          assert.equal(reply.status, status, `${method} ${at}: expected this status`);
          assertForm(reply, `${method} ${at} with Accept: ${accept}`);
          return reply.type;
        });
        assert.equal(new Set(types).size, 1, `Accept: ${accept}: expected one media type, got ${types.join(', ')}`);
      }
    },
  },
);
