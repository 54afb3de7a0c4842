import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errors } from '../scripts/example.ts';
import { errorReference } from '../scripts/reference.ts';
import { builtInEntries } from '../src/catalogue/built-in.ts';

const root = new URL('../../../', import.meta.url);
const example = readFileSync(new URL('packages/problem-details/scripts/example.ts', root), 'utf8');
const reference = readFileSync(new URL('docs/errors.md', root), 'utf8');

it('docs/errors.md matches the catalogue', () => {
  expect(reference, 'run node packages/problem-details/scripts/write-reference.ts').toBe(
    errorReference(builtInEntries, example),
  );
});

it('docs/errors.md has every code under an anchor that does not depend on texts', () => {
  const headings = [...reference.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  const anchors = headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
  expect(new Set(anchors).size).toBe(anchors.length);
  for (const [, anchor] of reference.matchAll(/\]\(#([^)]+)\)/g)) expect(anchors).toContain(anchor);
  for (const { code } of builtInEntries) expect(reference).toContain(`[${code}](#${code})`);
});

describe('the example of docs/errors.md', () => {
  const ask = async (code: number, headers: Record<string, string> = {}): Promise<Response> =>
    errors.respond(new Request('https://shop.example/', { headers }), code);

  it('answers with its own code', async () => {
    const response = await ask(2000, { Accept: 'application/json' });
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).toBe('600');
    expect(await response.json()).toMatchObject({ title: 'Error 2000: Shop closed', error_category: 'x_shop' });
  });

  it('answers with its text of a built-in code', async () => {
    const response = await ask(1015, { Accept: 'text/markdown' });
    expect(await response.text()).toContain('\n\n**Wait and retry.** Our limits are at https://shop.example/limits.\n');
  });

  it('answers in German if it has texts, else in English', async () => {
    const headers = { Accept: 'application/json', 'Accept-Language': 'de-AT, en;q=0.5' };
    const german = await ask(2000, headers);
    expect(german.headers.get('Content-Language')).toBe('de');
    expect(await german.json()).toMatchObject({ title: 'Error 2000: Laden geschlossen', error_name: 'shop_closed' });
    const english = await ask(522, headers);
    expect(english.headers.get('Content-Language')).toBe('en');
    expect(await english.json()).toMatchObject({ title: 'Error 522: Connection timed out' });
  });
});
