import type { ErrorFacts } from '../../src/custom/rule.ts';

/** Facts of an error with code 1015 in `shop.example`. */
export const factsOfError = (facts: Partial<ErrorFacts> = {}): ErrorFacts => ({
  code: 1015,
  error_name: 'rate_limited',
  error_category: 'rate_limit',
  status: 429,
  ray_id: '0123456789abcdef',
  zone: 'shop.example',
  ...facts,
});
