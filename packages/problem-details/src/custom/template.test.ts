import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RuleContentType } from './rule.ts';
import { readTemplate, type TokenName, tokenNames, type TokenSource } from './template.ts';

const values: Record<TokenName, string> = {
  CLIENT_IP: '2001:db8::1',
  RAY_ID: '0123456789abcdef',
  GEO: 'NZ',
  ERROR_CODE: '1015',
  ERROR_NAME: 'rate_limited',
  ZONE: 'shop.example',
  TIMESTAMP: '2026-11-21T06:00:00Z',
};
const fill = (text: string, source: TokenSource = (name) => values[name], type: RuleContentType = 'text/plain') =>
  readTemplate(text, type).fill(source);

/** Decodes the entities that the escaping may write; anything else is a fault. */
const readEntities = (markup: string): string => {
  if (/[<>"'\r\n\t]|&(?!(?:amp|lt|gt|quot|#\d+);)/.test(markup)) throw new Error(`not escaped: ${markup}`);
  return markup.replaceAll(/&(?:(amp|lt|gt|quot)|#(\d+));/g, (_, name: string | undefined, code: string) =>
    name === undefined
      ? String.fromCodePoint(Number(code))
      : ({ amp: '&', lt: '<', gt: '>', quot: '"' }[name] ?? 'unknown'),
  );
};

describe('ERR-109: tokens', () => {
  it('are replaced everywhere', async () => {
    expect(await fill('::CLIENT_IP:: ::RAY_ID::<a href="::GEO::">::GEO::')).toBe(
      '2001:db8::1 0123456789abcdef<a href="NZ">NZ',
    );
    expect(await fill('::ERROR_CODE::|::ERROR_NAME::|::ZONE::|::TIMESTAMP::')).toBe(
      '1015|rate_limited|shop.example|2026-11-21T06:00:00Z',
    );
    expect(await fill('')).toBe('');
  });

  it('match only in their exact form', async () => {
    const text = '::ray_id:: ::RAY_ID: :RAY_ID:: ::RAY ID:: ::RAY_IDS:: RAY_ID $& $1';
    expect(await fill(text)).toBe(text);
    expect(await fill('::::RAY_ID::::')).toBe('::0123456789abcdef::');
    expect(await fill('::NO::GEO::RAY_ID::')).toBe('::NONZRAY_ID::');
  });

  it('are not replaced within inserted values', async () => {
    expect(await fill('::GEO::RAY_ID::::', () => '::RAY_ID::')).toBe('::RAY_ID::RAY_ID::::');
    expect(await fill('::GEO::', () => '$&::ZONE::$1')).toBe('$&::ZONE::$1');
    expect(await fill('::G::GEO::::', () => 'EO')).toBe('::GEO::');
  });

  it('are empty if their value is unknown', async () => {
    for (const unknown of [undefined, null, '']) expect(await fill('<::GEO::>', () => unknown)).toBe('<>');
    expect(await fill('<::GEO::>', (() => 7) as unknown as TokenSource)).toBe('<>');
    expect(await fill('<::GEO::>', async () => 'later')).toBe('<later>');
  });

  it('are requested once, and only if the text has them', async () => {
    const asked: TokenName[] = [];
    await fill('::GEO:: ::RAY_ID:: ::GEO::', (name) => {
      asked.push(name);
      return '';
    });
    expect(asked).toEqual(['GEO', 'RAY_ID']);
  });

  it('are replaced in one pass from left to right', async () => {
    const piece = fc.constantFrom('::', ':', 'RAY_ID', 'GEO', '::RAY_ID::', '::GEO::', 'x', 'ZONE', '::ZONE');
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, async (template, inserted) => {
        let expected = '';
        let rest = template;
        while (rest !== '') {
          const token = tokenNames.map((name) => `::${name}::`).find((one) => rest.startsWith(one));
          expected += token === undefined ? rest.charAt(0) : inserted;
          rest = rest.slice(token?.length ?? 1);
        }
        expect(await fill(template, () => inserted)).toBe(expected);
      }),
    );
  });
});

describe('ERR-156: a text whose tokens are replaced', () => {
  const text = '::ZONE::'.repeat(196_608);

  it('may be at most four times as long as the longest template', async () => {
    expect(text).toHaveLength(1_572_864);
    expect(await fill(text, () => 'z'.repeat(32))).toHaveLength(6_291_456);
    await expect(fill(`${text}!`, () => 'z'.repeat(32))).rejects.toThrow(
      new RangeError('with its tokens replaced it has more than 6291456 characters'),
    );
  });

  it('is refused if it has too many boxes', async () => {
    const page = readTemplate('::BOX::'.repeat(10_000), 'text/html', '::BOX::');
    const box = (): string => '<p></p>'.repeat(100);
    await expect(page.fill(() => '', box)).rejects.toThrow(RangeError);
  });
});

describe('ERR-110: values are escaped for the content type', () => {
  const hostile = '<b a="\'&\\\n';

  it('has an example of each', async () => {
    const escaped = async (type: RuleContentType): Promise<string> => fill('::GEO::', () => hostile, type);
    expect(await escaped('text/html')).toBe('&lt;b a=&quot;&#39;&amp;\\\n');
    expect(await escaped('text/xml')).toBe('&lt;b a=&quot;&#39;&amp;\\&#10;');
    for (const type of ['application/json', 'application/problem+json'] as const) {
      expect(await escaped(type)).toBe(String.raw`<b a=\"'&\\\n`);
    }
    expect(await escaped('text/plain')).toBe(hostile);
    expect(await escaped('text/markdown')).toBe(hostile);
  });

  it('leaves the text around them unchanged', async () => {
    for (const type of ['text/html', 'text/xml', 'application/json', 'text/plain'] as const) {
      expect(await fill(hostile, () => 'x', type)).toBe(hostile);
    }
  });

  const anyText = fc.string({ unit: 'binary', maxLength: 40 });
  const surrogates = fc.array(fc.nat(0xff_ff)).map((units) => String.fromCharCode(...units));

  it('parsing the JSON returns every value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyText, surrogates), async (value) => {
        const json = await fill('{"a":"::GEO::","b":["<::GEO::>"]}', () => value, 'application/json');
        expect(JSON.parse(json)).toEqual({ a: value, b: [`<${value}>`] });
      }),
    );
  });

  it('parsing the HTML returns every value, which never ends an element or attribute', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (value) => {
        const printable = value.replaceAll(/[\t\r\n]/g, ' ');
        const html = await fill('<p title="::GEO::">::GEO::</p>', () => printable, 'text/html');
        const inside = html.slice('<p title="'.length, -'</p>'.length);
        expect(inside.slice(inside.length / 2 + 1)).toBe(inside.slice(0, inside.length / 2 - 1));
        expect(readEntities(inside.slice(inside.length / 2 + 1))).toBe(printable);
      }),
    );
  });

  it('parsing the XML returns every value, except characters that XML cannot hold', async () => {
    const allowed = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]$/u;
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyText, surrogates), async (value) => {
        const xml = await fill('::GEO::', () => value, 'text/xml');
        const expected = [...value].map((character) => (allowed.test(character) ? character : '\ufffd')).join('');
        expect(readEntities(xml)).toBe(expected);
      }),
    );
  });
});

describe('ERR-115: the box token', () => {
  it('becomes an unescaped block, and stays in texts without a box', async () => {
    const page = readTemplate('<a>::BOX::|::GEO::</a>::BOX::', 'text/html', '::BOX::');
    expect(page.hasBox).toBe(true);
    expect(
      await page.fill(
        () => '<&::BOX::',
        () => '<p>::GEO::</p>',
      ),
    ).toBe('<a><p>::GEO::</p>|&lt;&amp;::BOX::</a><p>::GEO::</p>');
    expect(await fill('::BOX::')).toBe('::BOX::');
    expect(readTemplate('::BOX:', 'text/html', '::BOX::').hasBox).toBe(false);
  });

  it('may have any form in a custom dialect', async () => {
    const page = readTemplate('a^.*(b)|$c [x] $1', 'text/html', '^.*(b)|$');
    expect(
      await page.fill(
        () => '',
        () => '!',
      ),
    ).toBe('a!c [x] $1');
  });

  it('is not rendered for texts without the token', async () => {
    const box = (): string => {
      throw new Error('made');
    };
    expect(await readTemplate('a', 'text/html', '::BOX::').fill(() => '', box)).toBe('a');
    await expect(readTemplate('::BOX::', 'text/html', '::BOX::').fill(() => '', box)).rejects.toThrow('made');
  });
});
