import type { HttpHandler } from 'msw';
import type { setupWorker } from 'msw/browser';
import type { setupServer } from 'msw/node';
import { describe, expectTypeOf, it } from 'vitest';
import type { ErrorsMock, ErrorsMockOptions } from './errors.ts';
import type {
  createMock,
  CreateRepoResult,
  CreateTokenResult,
  CursorInfo,
  Fault,
  Inspection,
  ListReply,
  Mock,
  MockOptions,
  Namespace,
  PlatformErrorFault,
  Refusal,
  RepoInfo,
  RepoListItem,
  Reply,
  Seed,
  TaggedResource,
  TagListInfo,
  TagSummary,
  TokenInfo,
} from './index.ts';
import type { TaggingMock, TaggingMockOptions } from './tagging.ts';

type IsAny<T> = 0 extends 1 & T ? true : false;

/** True if any part of a type is `any`: members, parameters, results. Types of MSW itself are skipped. */
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
  it('contain no any', () => {
    type Any = ReturnType<typeof JSON.parse>;
    expectTypeOf<HoldsAny<{ readonly a: () => Promise<readonly [{ readonly b: Any }]> }>>().toEqualTypeOf<true>();
    expectTypeOf<HoldsAny<Mock>>().toEqualTypeOf<false>();
    expectTypeOf<HoldsAny<Required<MockOptions>>>().toEqualTypeOf<false>();
    expectTypeOf<HoldsAny<TaggingMock>>().toEqualTypeOf<false>();
    expectTypeOf<HoldsAny<Required<TaggingMockOptions>>>().toEqualTypeOf<false>();
    expectTypeOf<HoldsAny<ErrorsMock>>().toEqualTypeOf<false>();
    expectTypeOf<HoldsAny<Required<ErrorsMockOptions>>>().toEqualTypeOf<false>();
    expectTypeOf<HoldsAny<ListReply<Namespace | RepoListItem | TokenInfo>>>().toEqualTypeOf<false>();
    expectTypeOf<HoldsAny<Reply<RepoInfo | CreateRepoResult | CreateTokenResult>>>().toEqualTypeOf<false>();
    expectTypeOf<HoldsAny<ListReply<TaggedResource | TagSummary, TagListInfo>>>().toEqualTypeOf<false>();
    expectTypeOf<HoldsAny<Refusal>>().toEqualTypeOf<false>();
  });

  it('describe the content of a mock', () => {
    type Held<Name extends keyof Inspection> = Awaited<ReturnType<Inspection[Name]>>;
    expectTypeOf<Held<'repos'>[number]['status']>().toEqualTypeOf<'ready' | 'creating' | 'importing' | 'forking'>();
    expectTypeOf<Held<'refs'>>().toEqualTypeOf<Readonly<Record<string, string>>>();
    expectTypeOf<Held<'file'>>().toEqualTypeOf<string>();
    expectTypeOf<ListReply<RepoListItem>['result'][number]['name']>().toEqualTypeOf<string>();
    expectTypeOf<ListReply<RepoListItem, CursorInfo>['result_info']['cursor']>().toEqualTypeOf<string>();
    expectTypeOf<ListReply<TaggedResource, TagListInfo>['result'][number]['tags']>().toEqualTypeOf<
      Readonly<Record<string, string>>
    >();
    expectTypeOf<Reply<RepoInfo> | Refusal>().extract<{ success: false }>().toEqualTypeOf<Refusal>();
  });

  it('have URL members with one meaning each', () => {
    type Shared = Exclude<Extract<keyof Mock, keyof TaggingMock>, 'store' | 'faults' | 'handlers'>;
    expectTypeOf<Shared>().toEqualTypeOf<'accountUrl'>();
    expectTypeOf<Pick<Mock, 'accountUrl' | 'restUrl'>>().toEqualTypeOf<{
      readonly accountUrl: string;
      readonly restUrl: string;
    }>();
    expectTypeOf<TaggingMock>().not.toHaveProperty('restUrl');
  });

  it('distinguish faults by their kind', () => {
    type OfKind<Kind extends Fault['kind']> = Extract<Fault<Seed>, { kind: Kind }>;
    expectTypeOf<Fault<Seed>['kind']>().toEqualTypeOf<
      'platform error' | 'latency' | 'dropped connection' | 'rate limit' | 'expired token' | 'changed page'
    >();
    expectTypeOf<OfKind<'rate limit'>['retryAfter']>().toEqualTypeOf<number>();
    expectTypeOf<OfKind<'platform error'>>().toEqualTypeOf<PlatformErrorFault>();
    expectTypeOf<OfKind<'changed page'>['add']>().toEqualTypeOf<Seed | undefined>();
  });

  it('match the types of MSW', () => {
    type Handler = Mock['handlers'][number];
    expectTypeOf<Handler>().toExtend<Parameters<typeof setupServer>[number]>();
    expectTypeOf<Handler>().toExtend<Parameters<typeof setupWorker>[number]>();
    expectTypeOf<Handler>().toExtend<Parameters<ReturnType<typeof setupServer>['use']>[number]>();
    expectTypeOf<Handler>().toExtend<Parameters<ReturnType<typeof setupWorker>['use']>[number]>();
    expectTypeOf<Mock['git'] | TaggingMock['handlers'] | ErrorsMock['handlers']>().toEqualTypeOf<readonly Handler[]>();
  });

  it('refuse misspelt names', () => {
    const baseUrl = 'https://api.example.test';
    // The function is never called. Only the compiler checks it.
    void ((mock: Mock, errors: ErrorsMock, create: typeof createMock) => {
      // @ts-expect-error -- no baseUrl
      create();
      // @ts-expect-error -- no such option
      create({ baseUrl, seeds: {} });
      // @ts-expect-error -- no such dialect
      create({ baseUrl, dialect: 'cloudfare' });
      // @ts-expect-error -- no such member of a repo
      create({ baseUrl, seed: { repos: { notes: { file: {} } } } });
      // @ts-expect-error -- no such mode of a file
      create({ baseUrl, seed: { repos: { notes: { files: { run: { content: '', mode: 'exec' } } } } } });
      // @ts-expect-error -- tags of something that is neither a repo nor has a type
      create({ baseUrl, seed: { tags: [{ tags: {} }] } });
      // @ts-expect-error -- no such setting
      create({ baseUrl, settings: { rate_rst: { requests: 1, seconds: 1 } } });
      // @ts-expect-error -- no such permission
      create({ baseUrl, apiTokens: [{ token: 'x', permissions: ['admin'] }] });
      // @ts-expect-error -- no permissions
      create({ baseUrl, apiTokens: ['t', { token: 'x' }] });
      // @ts-expect-error -- no such kind
      mock.faults.add({ kind: 'platformError', code: 522 });
      // @ts-expect-error -- a member of another kind
      mock.faults.add({ kind: 'latency', milliseconds: 1, retryAfter: 7 });
      // @ts-expect-error -- neither of the two
      mock.faults.add({ kind: 'dropped connection', lost: 'response' });
      // @ts-expect-error -- this mock has no tokens
      errors.faults.add({ kind: 'expired token' });
      // @ts-expect-error -- this mock has no service that could do the work
      errors.faults.add({ kind: 'dropped connection', lost: 'reply' });
      // @ts-expect-error -- no such scope
      void mock.store.createToken('notes', { scope: 'admin' });
      // @ts-expect-error -- no such member of a reply
      void ((reply: ListReply<RepoListItem>) => reply.results);
    });
  });

  it('refuse impossible values', () => {
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
