#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { prepareProcess } from '@packhouse/command/prepare';

prepareProcess();

const { processIo, runProgram } = await import('@packhouse/command');
const { conformanceCommands } = await import('./commands/all.ts');

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};
const isNpx = process.env['npm_lifecycle_event'] === 'npx';
process.exitCode = await runProgram(
  {
    name: 'packhouse-conformance',
    version,
    summary: 'Tests any deployment of the Packhouse API over HTTP and Git.',
    commands: conformanceCommands,
  },
  process.argv.slice(2),
  // npx puts no `packhouse-conformance` on the PATH.
  processIo({ program: isNpx ? 'npx @packhouse/conformance' : 'packhouse-conformance', cwd: process.cwd() }),
);
