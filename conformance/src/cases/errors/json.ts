import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { Context } from '../../core/context.ts';
import { same } from '../../tools/same.ts';
import { bySource } from './by-source.ts';
import { entries, entryOf, variety, type CatalogueEntry } from './catalogue-entries.ts';
import { askFor, forEach, membersOf, rayIdOf, routeOf, type ErrorReply, type Members } from './replies.ts';
import { only, tightSettings } from '../../steps/settings.ts';

/** Returns the members of an entry's JSON form, in order (ERR-036 to ERR-052). */
export function memberNames(t: Context, entry: CatalogueEntry): readonly string[] {
  const { marker } = t.dialect.platformErrors;
  return (
    'type title status detail instance error_code error_name error_category ray_id timestamp zone ' +
    `${marker} retryable${entry.retryable ? ' retry_after' : ''} owner_action_required what_you_should_do footer`
  ).split(' ');
}

/** Requests the JSON form of an entry, in either of its media types. */
export async function jsonOf(
  t: Context,
  { code }: CatalogueEntry,
  accept: string = 'application/json',
): Promise<{ readonly reply: ErrorReply; readonly members: Members }> {
  const reply = await askFor(t, routeOf(code), accept);
  assert.equal(reply.type, accept, `${code}: expected this media type`);
  return { reply, members: membersOf(reply, `${code}`) };
}

/** Removes the strings from JSON. */
function withoutStrings(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"/g, '""');
}

/** The maximum difference between the clocks of a service and of this machine, in milliseconds. */
const clocks = 120_000;

export const errorsJson: Suite = suite(
  {
    id: 'errors/json/bytes',
    requirements: ['ERR-034'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'The body is one flat object in UTF-8, without a BOM, without spaces between tokens, and a line feed.',
    run: async (t) => {
      await forEach(entries, async (entry) => {
        const { reply, members } = await jsonOf(
          t,
          entry,
          entry.code % 2 === 0 ? undefined : 'application/problem+json',
        );
        const { code } = entry;
        const bytes = Buffer.from(reply.bytes);
        const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
        assert.ok(text.startsWith('{') && text.endsWith('}\n'), `${code}: expected an object and one line feed`);
        assert.doesNotMatch(withoutStrings(text.slice(0, -1)), /\s/, `${code}: expected no spaces outside strings`);
        for (const [name, value] of Object.entries(members)) {
          assert.match(typeof value, /^(?:string|number|boolean)$/, `${code}: ${name}: expected a flat value`);
        }
      });
    },
  },
  ...bySource({
    id: 'errors/json/members',
    requirements: [
      'ERR-003',
      'ERR-004',
      'ERR-006',
      'ERR-035',
      'ERR-036',
      'ERR-037',
      'ERR-038',
      'ERR-040',
      'ERR-041',
      'ERR-042',
      'ERR-043',
      'ERR-044',
      'ERR-045',
      'ERR-046',
      'ERR-047',
      'ERR-048',
      'ERR-050',
      'ERR-052',
    ],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'Each code has the members of the table and no others, with types and values as specified.',
    run: async (t, codes) => {
      const { marker, footer } = t.dialect.platformErrors;
      await forEach(codes, async (entry) => {
        const { reply, members } = await jsonOf(t, entry);
        const { code } = entry;
        const own = Object.keys(members).sort();
        same(own, memberNames(t, entry).toSorted(), `${code}: expected these members and no others`);
        const { detail, timestamp, zone, what_you_should_do: guidance, title, type, ...rest } = members;
        for (const [name, value] of Object.entries({ detail, guidance, title })) {
          assert.ok(typeof value === 'string' && value !== '', `${code}: ${name}: expected a text`);
        }
        assert.match(String(type), /^https?:\/\/[^\s]+$/, `${code}: expected an absolute URI as type`);
        assert.match(String(title), new RegExp(`^Error ${code}: \\S`), `${code}: expected this beginning of the title`);
        assert.match(String(timestamp), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, `${code}: expected a time in UTC`);
        assert.equal(zone, zoneName(t), `${code}: expected the host name that was asked`);
        const ray = rayIdOf(t, reply, `${code}`);
        const { platformErrors } = t.dialect;
        const { retry_after: _, ...expected } = rest;
        same(
          expected,
          {
            status: entry.http_status,
            instance: ray,
            error_code: code,
            error_name: entry.error_name,
            error_category: entry.category === 'platform' ? platformErrors.ownCategory : entry.category,
            ray_id: ray,
            [marker]: true,
            retryable: entry.retryable,
            owner_action_required: entry.owner_action_required,
            footer,
          },
          `${code}: expected these values`,
        );
        assert.equal(reply.status, members['status'], `${code}: expected the status of the reply in the body`);
      });
    },
  }),
  {
    id: 'errors/json/order',
    requirements: ['ERR-035'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation: 'Members stand in the order of the table.',
    run: async (t) => {
      await forEach(entries, async (entry) => {
        const { members } = await jsonOf(t, entry, 'application/problem+json');
        same(Object.keys(members), memberNames(t, entry), `${entry.code}: expected this order`);
      });
    },
  },
  {
    id: 'errors/json/types',
    requirements: ['ERR-005', 'ERR-036', 'ERR-091', 'ERR-165'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation:
      'The type of a code is the address of the dialect, the same for each reply; in the neutral one another for each code.',
    run: async (t) => {
      const types = await forEach([...entries, ...variety], async (entry) => {
        const { members } = await jsonOf(t, entry);
        const type = String(members['type']);
        assert.match(
          type,
          t.dialect.platformErrors.type(entry.code),
          `${entry.code}: expected the address of the code`,
        );
        return type;
      });
      const again = types.slice(entries.length);
      same(
        again,
        variety.map((entry) => types[entries.findIndex(({ code }) => code === entry.code)]),
        'expected the same type again',
      );
      if (t.dialect.platformErrors.sharesTypes) return;
      assert.equal(new Set(types).size, entries.length, 'expected one type for each code');
    },
  },
  {
    id: 'errors/json/docs-base',
    requirements: ['ERR-005'],
    level: 'MUST',
    needs: ['zone', 'settings'],
    settings: only(tightSettings, 'docs_base'),
    explanation:
      'In the neutral dialect the type of a code stands under the docs_base setting, in the other it does not.',
    run: async (t) => {
      for (const code of [500, 1015]) {
        const { members } = await jsonOf(t, entryOf(code));
        const { type } = t.dialect.platformErrors;
        if (t.dialect.name !== 'neutral')
          assert.match(String(members['type']), type(code), 'expected the same address');
        else assert.equal(members['type'], `${tightSettings.docs_base}/errors/${code}`, 'expected it under docs_base');
      }
    },
  },
  {
    id: 'errors/json/retry-after',
    requirements: ['ERR-049', 'ERR-083'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'The seconds to wait stand in the body of retryable codes alone, as in the header.',
    run: async (t) => {
      await forEach(entries, async (entry) => {
        const { reply, members } = await jsonOf(t, entry);
        const { retry_after: seconds } = members;
        const header = reply.headers.get('retry-after');
        if (!entry.retryable) return same([seconds, header], [undefined, null], `${entry.code}: expected nothing`);
        assert.ok(Number.isSafeInteger(seconds), `${entry.code}: expected whole seconds`);
        assert.equal(header, String(seconds), `${entry.code}: expected the same in header and body`);
      });
    },
  },
  {
    id: 'errors/json/time',
    requirements: ['ERR-045', 'ERR-087'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'The timestamp is the time of the reply.',
    run: async (t) => {
      const before = Date.now();
      const times = await Promise.all(
        variety.map(async (entry) => {
          const { reply, members } = await jsonOf(t, entry);
          const time = Date.parse(String(members['timestamp']));
          const date = Date.parse(reply.headers.get('date') ?? '');
          const now = Number.isNaN(date) ? before : date;
          assert.ok(Math.abs(time - now) < clocks, `expected the time of the reply, got ${members['timestamp']}`);
          // Where both clocks agree, the time is not ahead, since its seconds are whole.
          const after = Date.now();
          const isAhead = Math.abs(date - after) < 2000 && time > after + 1000;
          assert.ok(!isAhead, `expected no time in the future, got ${members['timestamp']}`);
          return time;
        }),
      );
      const later = Date.parse(String((await jsonOf(t, entryOf(500))).members['timestamp']));
      assert.ok(later >= Math.max(...times) - 1000, 'expected no earlier time in a later reply');
    },
  },
  {
    id: 'errors/json/fresh-ray-ids',
    requirements: ['ERR-040', 'ERR-044', 'ERR-076', 'ERR-085'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'Each reply has a ray id of its own, the same in header and body, with a site in the header alone.',
    run: async (t) => {
      const ids = await forEach([...variety, ...variety, ...variety], async (entry) => {
        const { reply, members } = await jsonOf(t, entry);
        const id = rayIdOf(t, reply, `${entry.code}`);
        same([members['ray_id'], members['instance']], [id, id], `${entry.code}: expected the id of the header`);
        return id;
      });
      assert.equal(new Set(ids).size, ids.length, 'expected no ray id twice');
      // So many random ids contain all sixteen digits, except once in billions of runs.
      assert.equal(new Set(ids.join('')).size, 16, 'expected random digits');
    },
  },
  {
    id: 'errors/json/ray-id-of-request',
    requirements: ['ERR-086'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation: 'A ray id that the client sends is ignored.',
    run: async (t) => {
      for (const sent of ['0123456789abcdef-ABC', '0123456789abcdef']) {
        const headers = { [t.dialect.requestIdHeader]: sent };
        const reply = await askFor(t, routeOf(1020), 'application/json', { headers });
        assert.notEqual(rayIdOf(t, reply, 'a request with a ray id'), '0123456789abcdef', 'expected one of its own');
      }
    },
  },
  {
    id: 'errors/json/trusted-ray-id',
    requirements: ['ERR-058', 'ERR-086'],
    level: 'MUST',
    beyond: true,
    needs: ['zone', 'settings'],
    settings: only(tightSettings, 'trust_ray_header'),
    explanation: 'With trust_ray_header a ray id of the request is taken if it has the right form, and only then.',
    run: async (t) => {
      const send = async (sent: string): Promise<{ reply: ErrorReply; id: string }> => {
        const headers = { [t.dialect.requestIdHeader]: sent };
        const reply = await askFor(t, routeOf(1020), 'application/json', { headers });
        return { reply, id: rayIdOf(t, reply, `a request with the ray id ${sent}`) };
      };
      const { reply, id } = await send('0123456789abcdef-ABC');
      const { ray_id: ray, instance } = membersOf(reply, 'a trusted ray id');
      same([id, ray, instance], Array(3).fill('0123456789abcdef'), 'expected the ray id of the request everywhere');
      for (const digits of ['0123456789012345', '1234567890e12345', '012345678901234e', 'e123456789012345']) {
        const headers = { [t.dialect.requestIdHeader]: `${digits}-ABC` };
        const { text } = await askFor(t, routeOf(1020), 'text/markdown', { headers });
        const written = /^[0-9]*e?[0-9]+$/.test(digits) ? `"${digits}"` : digits;
        assert.ok(text.includes(`\nray_id: ${written}\n`), `${digits}: expected it ${written} in Markdown`);
      }
      for (const sent of ['0123456789ABCDEF-ABC', '0123456789abcde-ABC', '0123456789abcdeg-ABC', 'x']) {
        assert.ok(!sent.startsWith((await send(sent)).id), `${sent}: expected a ray id of its own`);
      }
    },
  },
);

/** Returns the expected `zone` in replies to requests for the origin of the zone. */
export function zoneName(t: Context): string {
  return new URL(t.zone).hostname;
}
