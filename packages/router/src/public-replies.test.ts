import { readFileSync } from 'node:fs';
import { cloudflare } from '@packhouse/hosting';
import { memoryTagStores } from '@packhouse/tagging';
import { describe, expect, it } from 'vitest';
import { testService } from './test-service.test.util.ts';

/** The known parts of a reply of the public service. `fixtures/README.md` names their sources. */
interface PublicReply {
  readonly code: number;
  readonly accept: 'application/json' | 'text/markdown';
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The names of all members, in order. */
  readonly members?: readonly string[];
  readonly values?: Readonly<Record<string, unknown>>;
  /** The lines below the front matter. `<name>` stands for the member of that name. */
  readonly layout?: readonly string[];
}

interface Difference {
  readonly what: string;
  readonly theirs: unknown;
  readonly ours: unknown;
}

const file = new URL('../../../fixtures/public-replies.json', import.meta.url);
const replies = JSON.parse(readFileSync(file, 'utf8')) as readonly PublicReply[];

/** Every known difference, and the row of `docs/specification/errors.md` that explains it. */
const explained: Readonly<Record<string, string>> = {
  '1010 title': 'ERR-037',
  '1027 title': 'ERR-037',
  '1104 title': 'ERR-037',
  '1015 members': 'ERR-035',
  '1015 cache-control': 'ERR-073',
  '1015 expires': 'ERR-073',
  '1015 layout': 'ERR-053',
};

function linesOf(markdown: string): { readonly members: readonly string[]; readonly layout: readonly string[] } {
  const lines = markdown.split('\n');
  const end = lines.indexOf('---', 1);
  const members = lines.slice(1, end).map((line) => line.slice(0, line.indexOf(':')));
  return { members, layout: lines.slice(end + 2) };
}

/** Replaces each `<name>` in the lines by the text of the error. */
function filled(layout: readonly string[], problem: Readonly<Record<string, unknown>>): readonly string[] {
  return layout.flatMap((line) => {
    const [, name] = /^<(\w+)>$/.exec(line) ?? [];
    return name === undefined ? [line] : String(problem[name]).split('\n');
  });
}

async function differences({ send }: ReturnType<typeof testService>, reply: PublicReply): Promise<Difference[]> {
  const ask = async (accept: string): Promise<Response> =>
    send(`/cdn-cgi/error/${reply.code}`, { headers: { accept } });
  const response = await ask(reply.accept);
  const text = await response.text();
  const problem = (await (await ask('application/json')).json()) as Record<string, unknown>;
  const shown =
    reply.accept === 'application/json' ? { members: Object.keys(problem), layout: undefined } : linesOf(text);
  const pairs: (readonly [what: string, theirs: unknown, ours: unknown])[] = [
    ['status', reply.status, response.status],
    ['members', reply.members, shown.members],
    ['layout', reply.layout && filled(reply.layout, problem), shown.layout],
    ...Object.entries(reply.headers ?? {}).map(([name, value]) => [name, value, response.headers.get(name)] as const),
    ...Object.entries(reply.values ?? {}).map(([name, value]) => [name, value, problem[name]] as const),
  ];
  return pairs
    .filter(([, theirs, ours]) => theirs !== undefined && JSON.stringify(theirs) !== JSON.stringify(ours))
    .map(([what, theirs, ours]) => ({ what: `${reply.code} ${what}`, theirs, ours }));
}

describe('platform errors of the cloudflare dialect, next to known replies of the public service', () => {
  it('ERR-005, ERR-006, ERR-054, ERR-055, ERR-165: differ where the specification says so, and nowhere else', async () => {
    const service = testService({ dialect: cloudflare });
    const found: Difference[] = [];
    for (const reply of replies) found.push(...(await differences(service, reply)));
    expect(
      found.filter(({ what }) => explained[what] === undefined),
      'a difference that no row explains',
    ).toEqual([]);
    expect([...new Set(found.map(({ what }) => what))].sort(), 'what is explained is different').toEqual(
      Object.keys(explained).sort(),
    );
  });

  it.each([...new Set(Object.values(explained))])('%s names the public service', (id) => {
    const rows = readFileSync(new URL('../../../docs/specification/errors.md', import.meta.url), 'utf8');
    expect(rows.split('\n').find((line) => line.startsWith(`| ${id} `))).toContain('public service');
  });

  it('are compared with 18 known replies, at most one for each code and format', () => {
    const names = replies.map(({ code, accept }) => `${code} ${accept}`);
    expect([names.length, new Set(names).size]).toEqual([18, 18]);
    const known = ['code', 'accept', 'status', 'headers', 'members', 'values', 'layout'];
    for (const reply of replies) expect(known).toEqual(expect.arrayContaining(Object.keys(reply)));
  });
});

it('TAG-024: errors of tagging have no documentation_url in the cloudflare dialect', async () => {
  const { send, hosting } = testService({ dialect: cloudflare, tags: memoryTagStores() });
  const response = await send(`${hosting.dialect.basePath}/accounts/a1/tags`);
  const { errors } = (await response.json()) as { errors: object[] };
  expect(errors).toMatchObject([{ code: 10000, message: 'Authentication error' }]);
  expect(errors[0]).not.toHaveProperty('documentation_url');
});
