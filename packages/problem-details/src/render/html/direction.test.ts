import { describe, expect, it } from 'vitest';
import { directionOf } from './direction.ts';

describe('directionOf', () => {
  it('knows the right-to-left languages', () => {
    for (const tag of ['ar', 'ar-EG', 'he', 'fa-IR', 'ur', 'AR', 'yi', 'dv', 'ckb'])
      expect(directionOf(tag)).toBe('rtl');
    for (const tag of ['en', 'en-GB', 'de', 'ja', 'arn', '', 'x-he']) expect(directionOf(tag)).toBe('ltr');
  });

  it('lets a script in the tag decide', () => {
    for (const tag of ['az-Arab', 'pa-arab-PK', 'en-Hebr', 'ff-Adlm']) expect(directionOf(tag)).toBe('rtl');
    for (const tag of ['ar-Latn', 'ku-Latn', 'he-Latn-IL']) expect(directionOf(tag)).toBe('ltr');
  });

  it('agrees with the data of the runtime, if available', () => {
    const tags =
      'ar de el en es fa fr he hi ja ko nl pl ps ru sd th tr ug uk ur vi yi zh az-Arab uz-Cyrl ks-Deva'.split(' ');
    for (const tag of tags) {
      const locale: Intl.Locale & { getTextInfo?: () => { direction: string } } = new Intl.Locale(tag);
      if (locale.getTextInfo !== undefined)
        expect([tag, directionOf(tag)]).toEqual([tag, locale.getTextInfo().direction]);
    }
  });
});
