export { exitCodes, type CliErrorKind } from './cli-error.ts';
export type { Io } from './io.ts';
export { run } from './run.ts';
