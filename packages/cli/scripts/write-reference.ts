// Writes docs/cli.md from the command table; a test compares it with the code.
import { writeFileSync } from 'node:fs';
import { exitCodes } from '@packhouse/command';
import { commandReference } from '../src/reference.ts';
import { commands } from '../src/commands/all.ts';

writeFileSync(new URL('../../../docs/cli.md', import.meta.url), commandReference(commands, exitCodes));
