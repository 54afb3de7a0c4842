import { describe, expect, it } from 'vitest';
import { bodyCases } from './cases/bodies.ts';
import { honoCases } from './cases/hono.ts';
import { nestingCases } from './cases/nesting.ts';
import { thrownCases, valuesWithoutCase } from './cases/thrown.ts';
import { describeForm } from './suite.ts';

describe('an app of Hono with platform errors', () => {
  it('has a case for everything that can be thrown', () => expect(valuesWithoutCase).toEqual([]));

  describeForm(new URL('apps/hono.ts', import.meta.url), [...thrownCases, ...bodyCases, ...nestingCases, ...honoCases]);
});
