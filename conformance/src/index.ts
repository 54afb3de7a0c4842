export { cases } from './cases/index.ts';
export { suite, type Case, type Level, type Need, type Suite } from './core/case.ts';
export type {
  Context,
  CreateRepoOptions,
  GitOptions,
  GitResult,
  RestOptions,
  RestReply,
  TagIdentity,
  TaggedResource,
  TagsOptions,
  TestRepo,
} from './core/context.ts';
export { dialects, type Dialect } from './core/dialect.ts';
export type { ImportRemote, RemoteAnswer } from './core/import-remote.ts';
export { NotDone, Skipped, Unsupported } from './core/outcome.ts';
export { areaOf, areas, type Area, type FoundArea } from './core/area.ts';
export type { GitServer, Target } from './core/target.ts';
export { reportForms, type ReportForm } from './forms/forms.ts';
export { junitReport } from './forms/junit.ts';
export {
  statuses,
  type CaseResult,
  type Failure,
  type Report,
  type RequirementResult,
  type Status,
} from './report/report.ts';
export { reportText, resultLine } from './forms/text.ts';
export { isBeyondMocks } from './run/beyond-mocks.ts';
export { dialectSample, groupSample, oncePerSlowGroup, secondDialect } from './run/dialect-sample.ts';
export { findTarget, type WantedTarget } from './probe/find-target.ts';
export type { Found } from './probe/found.ts';
export { runCases, type RunCasesOptions } from './run/run-cases.ts';
export { selectCases } from './run/select.ts';
export { openSession, type Session, type SessionOptions } from './run/session.ts';
