import type { ErrorFacts } from '../../src/custom/rule.ts';

/** What conditions see of an error, for tests: code 1015 of `shop.example`. */
export const factsOfError = (facts: Partial<ErrorFacts> = {}): ErrorFacts => ({
  code: 1015,
  error_name: 'rate_limited',
  error_category: 'rate_limit',
  status: 429,
  ray_id: '0123456789abcdef',
  zone: 'shop.example',
  ...facts,
});
