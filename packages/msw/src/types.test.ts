import type { HttpHandler } from 'msw';
import { describe, expectTypeOf, it } from 'vitest';
import type { ErrorsMock, ErrorsMockOptions } from './errors.ts';
import type { createMock, Fault, Mock, MockOptions, Seed } from './index.ts';
import type { TaggingMock, TaggingMockOptions } from './tagging.ts';

type IsAny<T> = 0 extends 1 & T ? true : false;

/** Whether something in a type is `any`: members, parameters, results. What MSW itself declares is not looked into. */
type HoldsAny<T, Depth extends readonly unknown[] = []> =
  IsAny<T> extends true
    ? true
    : Depth['length'] extends 9
      ? false
      : T extends HttpHandler | Uint8Array
        ? false
        : T extends Promise<infer Result>
          ? HoldsAny<Result, [...Depth, 0]>
          : T extends (...parameters: infer Parameters) => infer Result
            ? HoldsAny<Parameters, [...Depth, 0]> | HoldsAny<Result, [...Depth, 0]>
            : T extends readonly (infer Item)[]
              ? HoldsAny<Item, [...Depth, 0]>
              : T extends object
                ? true extends { [Name in keyof T]: HoldsAny<T[Name], [...Depth, 0]> }[keyof T]
                  ? true
                  : false
                : false;

describe('the types of a mock', () => {
  it('hold no any', () => {
    type Any = ReturnType<typeof JSON.parse>;
    expectTypeOf<HoldsAny<{ readonly a: () => Promise<readonly [{ readonly b: Any }]> }>>().toEqualTypeOf<true>();
    expectTypeOf<HoldsAny<Mock>>().toEqualTypeOf<false>();
    expectTypeOf<HoldsAny<Required<MockOptions>>>().toEqualTypeOf<false>();
    expectTypeOf<HoldsAny<TaggingMock>>().toEqualTypeOf<false>();
    expectTypeOf<HoldsAny<Required<TaggingMockOptions>>>().toEqualTypeOf<false>();
    expectTypeOf<HoldsAny<ErrorsMock>>().toEqualTypeOf<false>();
    expectTypeOf<HoldsAny<Required<ErrorsMockOptions>>>().toEqualTypeOf<false>();
  });

  it('refuse what cannot be', () => {
    type Options = Parameters<typeof createMock>[0];
    expectTypeOf<{}>().not.toExtend<Options>();
    expectTypeOf<{ baseUrl: string }>().toExtend<Options>();
    expectTypeOf<{ baseUrl: string; dialect: 'other' }>().not.toExtend<Options>();
    expectTypeOf<{ kind: 'platform error' }>().not.toExtend<Fault<Seed>>();
    expectTypeOf<{ kind: 'rate limit'; retryAfter: '7' }>().not.toExtend<Fault<Seed>>();
    expectTypeOf<{ kind: 'changed page'; add: Seed }>().toExtend<Fault<Seed>>();
    expectTypeOf<{ kind: 'changed page'; add: Seed }>().not.toExtend<Fault>();
    expectTypeOf<{ repos: { a: { files: { b: number } } } }>().not.toExtend<Seed>();
    expectTypeOf<{ repos: { a: { files: { b: string } } } }>().toExtend<Seed>();
  });
});
