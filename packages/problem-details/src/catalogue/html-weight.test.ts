import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neutral } from '../dialect/neutral.ts';
import { describeError } from '../problem/describe.ts';
import { englishLabels } from '../problem/labels.ts';
import type { Labels } from '../problem/report.ts';
import { guidanceHtml } from '../render/html/guidance.ts';
import { renderHtml } from '../render/html/page.ts';
import { builtInEntries } from './built-in.ts';
import { type TextMember, textLimits } from './check-texts.ts';
import { htmlWeight } from './html-weight.ts';

const bytes = (text: string): number => new TextEncoder().encode(text).length;

describe('ERR-154: the weight of a text', () => {
  it('is at least its size in the page', () => {
    const piece = fc.constantFrom(
      '- ',
      '1. ',
      '\n2. ',
      '10. ',
      '\n',
      '\n\n',
      '**',
      '*',
      'a',
      'ü',
      '例',
      '😀',
      '&',
      '<',
      '>',
      '"',
      "'",
      ' ',
    );
    const guidance = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(guidance, (text) => {
        const frame = bytes(guidanceHtml('2. '));
        expect(htmlWeight(text) + frame).toBeGreaterThanOrEqual(bytes(guidanceHtml(text)));
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps the page below 16,384 bytes with texts, zone and wait of maximum length', () => {
    // Characters whose weight is not above their size, so that they use up the limit.
    const full = (member: TextMember): string => '"'.repeat(Math.floor(textLimits[member] / htmlWeight('"')));
    const guidance = '**a** '.repeat(Math.floor(textLimits.what_you_should_do / htmlWeight('**a** ')));
    const labels = Object.fromEntries(Object.keys(englishLabels).map((name) => [name, full('label')]));
    for (const entry of builtInEntries) {
      const report = describeError(
        { ...entry, short_name: full('short_name'), detail: full('detail'), what_you_should_do: guidance },
        {
          rayId: 'ffffffffffffffff',
          now: 0,
          zone: 'z'.repeat(253),
          retryAfter: 2_147_483_647,
          language: 'x'.repeat(35),
          texts: {
            short_name: full('short_name'),
            detail: full('detail'),
            what_you_should_do: guidance,
            footer: full('footer'),
            labels: { ...englishLabels, ...labels } satisfies Labels,
          },
        },
        { dialect: neutral, docsBase: 'https://docs.example' },
      );
      expect(bytes(renderHtml(report)), String(entry.code)).toBeLessThanOrEqual(16_384);
    }
  });
});
