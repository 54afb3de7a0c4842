import { describe } from 'vitest';
import { bodyCases } from './cases/bodies.ts';
import { nestingCases } from './cases/nesting.ts';
import { thrownCases } from './cases/thrown.ts';
import { describeForm } from './suite.ts';

describe('a plain fetch handler with platform errors', () => {
  describeForm(new URL('apps/plain.ts', import.meta.url), [...thrownCases, ...bodyCases, ...nestingCases]);
});
