export { exitCodes, type CliErrorKind } from './output/cli-error.ts';
export type { Io } from './output/io.ts';
export { run } from './run.ts';
