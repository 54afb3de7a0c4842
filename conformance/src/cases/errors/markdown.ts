import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { suite, type Suite } from '../../core/case.ts';
import type { Context } from '../../core/context.ts';
import { same } from '../../tools/same.ts';
import { entries, entryOf, variety, type CatalogueEntry } from './catalogue-entries.ts';
import { jsonOf, memberNames, zoneName } from './json.ts';
import { markdownOf } from './markdown-form.ts';
import { askAs, askFor, demandAnyHost, forEach, rayIdOf, routeOf, type ErrorReply } from './replies.ts';
import { only, tightSettings } from '../../steps/settings.ts';

async function markdownReply(t: Context, { code }: CatalogueEntry): Promise<ErrorReply> {
  const reply = await askFor(t, routeOf(code), 'text/markdown');
  assert.equal(reply.type, 'text/markdown', `${code}: expected Markdown`);
  return reply;
}

/** Returns the text between the first two lines of three hyphens. */
function frontmatterOf({ text }: ErrorReply, what: string): string {
  const found = /^---\n([^]*?\n)---\n/.exec(text)?.[1];
  assert.ok(found !== undefined, `${what}: expected frontmatter, got ${text.slice(0, 100)}`);
  return found;
}

/** Parses the lines of the frontmatter into names and raw values. */
function linesOf(reply: ErrorReply, what: string): ReadonlyMap<string, string> {
  const lines = frontmatterOf(reply, what).trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([a-z_]+): (.*)$/.exec(line) ?? [];
      assert.notEqual(name, '', `${what}: expected a member, got ${line}`);
      return [name, value] as const;
    }),
  );
}

/** Asserts the body, with the ray id and time of the reply. */
function assertBody(
  t: Context,
  entry: CatalogueEntry,
  reply: ErrorReply,
  { zone, guidanceMember }: { readonly zone: string; readonly guidanceMember?: boolean },
): void {
  const what = `${entry.code} for the zone "${zone}"`;
  const rayId = rayIdOf(t, reply, what);
  const timestamp = linesOf(reply, what).get('timestamp') ?? '';
  const expected = markdownOf(t.dialect, entry, { rayId, timestamp, zone }, guidanceMember);
  same(reply.text, expected, `${what}: expected this body`);
  assert.deepEqual(Buffer.from(reply.bytes), Buffer.from(expected), `${what}: expected these bytes`);
}

/** Returns the members of the frontmatter (ERR-054). */
function frontmatterNames(t: Context, entry: CatalogueEntry): readonly string[] {
  const outside = ['type', 'title', 'instance', 'footer', 'detail'];
  if (!t.dialect.platformErrors.guidanceMember) outside.push('what_you_should_do');
  return memberNames(t, entry).filter((name) => !outside.includes(name));
}

export const errorsMarkdown: Suite = suite(
  {
    id: 'errors/markdown/bytes',
    requirements: ['ERR-053', 'ERR-058', 'ERR-060', 'ERR-061'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation: 'The body of every code is that of section 4, byte for byte.',
    run: async (t) => {
      await forEach(entries, async (entry) => {
        assertBody(t, entry, await markdownReply(t, entry), { zone: zoneName(t) });
      });
    },
  },
  {
    id: 'errors/markdown/members',
    requirements: ['ERR-054', 'ERR-057'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'The frontmatter has status and extension members but the footer; numbers, flags and names are plain.',
    run: async (t) => {
      await forEach(entries, async (entry) => {
        const lines = linesOf(await markdownReply(t, entry), `${entry.code}`);
        // ERR-055 leaves this one member to the service.
        const required = (names: Iterable<string>): string[] =>
          [...names].filter((name) => name !== 'what_you_should_do').sort();
        same(
          required(lines.keys()),
          required(frontmatterNames(t, entry)),
          `${entry.code}: expected these members in the frontmatter`,
        );
        const plain = ['error_code', 'error_name', 'error_category', 'status', 'timestamp', 'retryable'];
        for (const name of [...plain, 'owner_action_required', t.dialect.platformErrors.marker]) {
          assert.match(lines.get(name) ?? '', /^[a-z0-9][A-Za-z0-9_:-]*$/, `${entry.code}: ${name}: expected it plain`);
        }
      });
    },
  },
  {
    id: 'errors/markdown/yaml',
    requirements: ['ERR-056'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation: 'A YAML 1.1 and a YAML 1.2 reader get the values and types of the JSON form.',
    run: async (t) => {
      await forEach(entries, async (entry) => {
        const reply = await markdownReply(t, entry);
        const { members } = await jsonOf(t, entry);
        const what = `${entry.code}`;
        const rayId = rayIdOf(t, reply, what);
        const timestamp = linesOf(reply, what).get('timestamp') ?? '';
        const expected = Object.fromEntries(
          Object.entries({ ...members, ray_id: rayId, timestamp }).filter(([name]) =>
            frontmatterNames(t, entry).includes(name),
          ),
        );
        for (const version of ['1.1', '1.2'] as const) {
          const read = parse(frontmatterOf(reply, what), { version }) as Record<string, unknown>;
          // A YAML 1.1 parser may turn it into a date.
          const { timestamp: time } = read;
          if (time instanceof Date) read['timestamp'] = time.toISOString().replace('.000Z', 'Z');
          same(read, expected, `${entry.code}: expected a YAML ${version} reader to get the values of the JSON form`);
        }
      });
    },
  },
  {
    id: 'errors/markdown/zones',
    requirements: ['ERR-053', 'ERR-056', 'ERR-059', 'ERR-060'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone', 'origin'],
    explanation: 'A zone is plain where no YAML reader takes it for anything but a text, else quoted.',
    run: async (t) => {
      await demandAnyHost(t);
      const plain = ['a', 'shop.example', 'e5.example', 'x9', 'a-b.c-d.example', 'nullx', 'e5x', 'truely.example'];
      const quoted = ['2shop.example', 'true', 'false', 'yes', 'no', 'on', 'off', 'y', 'n', 'null', 'e5', 'e-5'];
      const odd = ['_dmarc.example', 'a_b.example', '127.0.0.1', '1e5.example', '-a.example', 'a-', '[::1]'];
      await forEach([...plain, ...quoted, ...odd], async (host) => {
        const reply = await askAs(t, 'text/markdown', { host });
        // A server may reject an odd host (RFC 9112, section 3.2).
        if (odd.includes(host) && reply.type !== 'text/markdown') return;
        const value = linesOf(reply, host).get('zone');
        if (plain.includes(host)) assert.equal(value, host, `the zone ${host}: expected it plain`);
        if (quoted.includes(host)) assert.equal(value, `"${host}"`, `the zone ${host}: expected it quoted`);
        assertBody(t, entryOf(1020), reply, { zone: host });
        for (const version of ['1.1', '1.2'] as const) {
          const { zone } = parse(frontmatterOf(reply, host), { version }) as Record<string, unknown>;
          assert.equal(zone, host, `expected a YAML ${version} reader to get the zone ${host} as a text`);
        }
      });
    },
  },
  {
    id: 'errors/markdown/guidance-member',
    requirements: ['ERR-055'],
    level: 'MAY',
    needs: ['zone', 'settings'],
    settings: only(tightSettings, 'markdown_guidance_member'),
    explanation:
      'With markdown_guidance_member off, the frontmatter has no what_you_should_do, and the text still has it.',
    run: async (t) => {
      for (const entry of variety) {
        assertBody(t, entry, await markdownReply(t, entry), { zone: zoneName(t), guidanceMember: false });
      }
    },
  },
);
