export { suite, type Case, type Level, type Need, type Suite } from './core/case.ts';
export type {
  Context,
  CreateRepoOptions,
  GitOptions,
  GitResult,
  RestOptions,
  RestReply,
  TestRepo,
} from './core/context.ts';
export { dialects, type Dialect } from './core/dialect.ts';
export type { Target } from './core/target.ts';
