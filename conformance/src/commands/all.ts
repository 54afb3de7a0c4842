import type { Command } from '@packhouse/command';
import { listCommand } from './list.ts';
import { runCommand } from './run.ts';

/** The commands of the suite, in the order of the help: those of `packhouse-conformance`, and of `packhouse conformance`. */
export const conformanceCommands: readonly Command[] = [runCommand, listCommand];
