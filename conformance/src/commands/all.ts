import type { Command } from '@packhouse/command';
import { baselineCommand } from './baseline.ts';
import { compareCommand } from './compare.ts';
import { explainCommand } from './explain.ts';
import { listCommand } from './list.ts';
import { replayCommand } from './replay.ts';
import { runCommand } from './run.ts';

/**
 * The commands of the suite, in the order of the help: those of `packhouse-conformance`, and of `packhouse
 * conformance`.
 */
export const conformanceCommands: readonly Command[] = [
  runCommand,
  listCommand,
  explainCommand,
  replayCommand,
  compareCommand,
  baselineCommand,
];
