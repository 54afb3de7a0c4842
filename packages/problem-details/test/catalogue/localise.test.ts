import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInEntries } from '../../src/catalogue/built-in.ts';
import { shopClosed } from './own-entry.ts';
import type { Entry } from '../../src/catalogue/entry.ts';
import { cloudflare } from '../../src/dialect/cloudflare.ts';
import { neutral } from '../../src/dialect/neutral.ts';
import { describeError, type Occurrence } from '../../src/problem/describe.ts';
import { german } from './german.ts';
import { englishLabels } from '../../src/problem/labels.ts';
import { type Localisation, type LocalTexts, localTexts } from '../../src/problem/localise.ts';

const once: Occurrence = { rayId: '9184027733651048', now: 0, zone: 'shop.example' };
const entries: readonly Entry[] = [...builtInEntries, shopClosed];
const entry: Entry = shopClosed;
const complete = german(entry);

/** Returns the result for a hook that always returns these texts, and the reasons of refusal. */
async function given(texts: unknown): Promise<{ texts: LocalTexts | undefined; reasons: string[] }> {
  const reasons: string[] = [];
  const localisation: Localisation = { languages: ['de'], texts: () => texts as LocalTexts };
  return { texts: await localTexts(localisation, entry, 'de', (reason) => reasons.push(reason)), reasons };
}

describe('ERR-147: a hook for languages', () => {
  it('gets the entry and the language tag', async () => {
    const asked: unknown[] = [];
    const localisation: Localisation = {
      languages: ['de', 'fr-CA'],
      texts: (...question) => {
        asked.push(question);
        return undefined;
      },
    };
    await localTexts(localisation, entry, 'de');
    await localTexts(localisation, entry, 'fr-CA');
    expect(asked).toEqual([
      [entry, 'de'],
      [entry, 'fr-CA'],
    ]);
  });

  it('supplies a complete language for every entry, synchronously or not', async () => {
    for (const texts of [german, (of: Entry) => Promise.resolve(german(of))])
      for (const entry of entries)
        expect(await localTexts({ languages: ['de'], texts }, entry, 'de'), String(entry.code)).toEqual(german(entry));
  });

  it.each([undefined, null])('supplies no texts by %s, without a reason', async (nothing) => {
    expect(await given(nothing)).toEqual({ texts: undefined, reasons: [] });
  });

  it.each(['short_name', 'detail', 'what_you_should_do', 'footer', 'labels'] as const)(
    'is refused if %s is missing or not a text',
    async (member) => {
      const { [member]: _, ...rest } = complete;
      const named = member === 'labels' ? '`labels.what_happened`' : `\`${member}\``;
      for (const value of [undefined, null, '', ' ', 7, [], {}]) {
        const { texts, reasons } = await given({ ...rest, ...(value === undefined ? {} : { [member]: value }) });
        expect(texts).toBeUndefined();
        expect(reasons).toHaveLength(1);
        expect(reasons[0]).toMatch(new RegExp(`^texts of 2000 in de: ${named} must `));
      }
    },
  );

  it.each(Object.keys(englishLabels))('is refused if the label %s is missing, blank or too long', async (label) => {
    for (const value of [undefined, null, '', ' ', 'a\nb', 7, 'x'.repeat(97)]) {
      const { texts, reasons } = await given({ ...complete, labels: { ...complete.labels, [label]: value } });
      expect(texts).toBeUndefined();
      expect(reasons[0]).toContain(`\`labels.${label}\` must `);
    }
  });

  it('is refused for any incomplete result', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (anything) => {
        expect((await given(anything)).texts).toBeUndefined();
      }),
    );
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no such file');
      },
      'no such file',
    ],
    [
      'throws no error',
      () => {
        // oxlint-disable-next-line no-throw-literal -- a hook of an app may throw anything
        throw 'text';
      },
      'text',
    ],
    [
      'throws an error that cannot be read',
      () => {
        throw Object.defineProperty(new Error('x'), 'message', {
          get: () => {
            throw new Error('y');
          },
        });
      },
      'something that cannot be read',
    ],
    ['rejects', () => Promise.reject(new Error('gone')), 'gone'],
    [
      'has a getter that throws',
      () => ({
        get detail() {
          throw new Error('got');
        },
      }),
      'got',
    ],
  ])('is refused if it %s', async (_how, texts, reason) => {
    const reasons: string[] = [];
    const localisation = { languages: ['de'], texts } as unknown as Localisation;
    expect(await localTexts(localisation, entry, 'de', (told) => reasons.push(told))).toBeUndefined();
    expect(reasons).toEqual([`texts of 2000 in de: ${reason}`]);
    expect(await localTexts(localisation, entry, 'de')).toBeUndefined();
  });

  it('is read once, so that the checked texts are used', async () => {
    let reads = 0;
    const { texts } = await given({
      ...complete,
      get detail() {
        reads += 1;
        return reads === 1 ? complete.detail : '# Owned\n<script>';
      },
    });
    expect(texts).toEqual(complete);
  });

  it('leaves the error in English without texts', () => {
    for (const entry of entries) {
      const settings = { dialect: neutral, docsBase: 'https://docs.example' };
      const report = describeError(entry, { ...once, texts: undefined, language: 'de' }, settings);
      expect(report).toEqual(describeError(entry, once, settings));
      expect(report.language).toBe('en');
      expect(report.labels).toBe(englishLabels);
    }
  });
});

describe('ERR-150: in another language', () => {
  it('the texts and labels are translated, the stable members and the word Error are not', () => {
    for (const dialect of [neutral, cloudflare]) {
      const settings = { dialect, docsBase: 'https://docs.example' };
      for (const entry of entries) {
        const english = describeError(entry, once, settings);
        const texts = german(entry);
        const local = describeError(entry, { ...once, texts, language: 'de-AT' }, settings);
        expect(JSON.stringify(local)).toBe(
          JSON.stringify({
            ...english,
            problem: {
              ...english.problem,
              title: `Error ${entry.code}: ${texts.short_name}`,
              detail: texts.detail,
              what_you_should_do: texts.what_you_should_do,
              footer: texts.footer,
            },
            short_name: texts.short_name,
            language: 'de-AT',
            labels: texts.labels,
          }),
        );
      }
    }
  });

  it.each([
    ['detail', 'Zwei\nZeilen'],
    ['detail', '# Überschrift'],
    ['detail', 'Der Server 10.0.0.1 schweigt.'],
    ['short_name', '<b>Gestört</b>'],
    ['footer', 'Zwei\nZeilen'],
    ['footer', '`Code`'],
    ['footer', 'x'.repeat(513)],
    ['what_you_should_do', 'Warten Sie.'],
    ['what_you_should_do', '**Warten Sie.**'],
    ['what_you_should_do', '**Warten** '],
    ['what_you_should_do', '** Warten** Sie.'],
    ['what_you_should_do', '**** Warten Sie.'],
    ['what_you_should_do', '**Warten\nSie.** Jetzt.'],
    ['what_you_should_do', '**Warten.** [Hier](https://shop.example/).'],
    ['what_you_should_do', '**Warten.** Stand:\n    at shop.js:12:7'],
  ] as const)('the rules of section 1 hold: %s %j', async (member, text) => {
    const { texts, reasons } = await given({ ...complete, [member]: text });
    expect(texts).toBeUndefined();
    expect(reasons[0]).toContain(`\`${member}\` must `);
  });

  it.each(['**Warten Sie.** Dann noch einmal.', '**待って。** 後でもう一度。', '**A** b', '**Do not retry.** Nein.'])(
    'the bold directive may be translated: %s',
    async (what_you_should_do) => {
      expect((await given({ ...complete, what_you_should_do })).texts).toEqual({ ...complete, what_you_should_do });
    },
  );
});
