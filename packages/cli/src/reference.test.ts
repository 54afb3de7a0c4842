import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exitCodes } from '@packhouse/command';
import { commands } from './commands/all.ts';
import { commandReference } from './reference.ts';

it('docs/cli.md matches the command table', () => {
  const file = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
  expect(file, 'run node packages/cli/scripts/write-reference.ts').toBe(commandReference(commands, exitCodes));
});
