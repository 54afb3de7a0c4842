export { exitCodes, type CliErrorKind, type Io } from '@packhouse/command';
export { run } from './run.ts';
