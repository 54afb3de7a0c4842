import { describe, expect, it } from 'vitest';
import { resolveTaggingSettings, type TaggingSettings } from './tagging-settings.ts';

describe('the settings of tagging alone', () => {
  it('TAG-055, TAG-142 to TAG-144: have the defaults of the specification', () => {
    expect(resolveTaggingSettings({})).toEqual({
      tags_not_found: '500',
      account_tags_max: 10_000,
      resource_tags_max: null,
      rate_tags: { requests: 1200, seconds: 300 },
      rest_body_max: 1_048_576,
      docs_base: undefined,
      site: 'LOC',
    });
  });

  it('are used, and others are ignored', () => {
    const given = { tags_not_found: '404', resource_tags_max: 5, authorize: 7 } as const;
    expect(resolveTaggingSettings(given)).toMatchObject({ tags_not_found: '404', resource_tags_max: 5 });
    expect(resolveTaggingSettings(given)).not.toHaveProperty('authorize');
  });

  it.each<[string, Partial<Record<keyof TaggingSettings, unknown>>]>([
    ['tags_not_found must be "500", "404" or "empty"', { tags_not_found: 404 }],
    ['account_tags_max must be an integer', { account_tags_max: -1 }],
    ['rate_tags must have', { rate_tags: 5 }],
  ])('are refused with a message: %s', (message, given) => {
    expect(() => resolveTaggingSettings(given as Partial<TaggingSettings>)).toThrow(message);
  });
});
