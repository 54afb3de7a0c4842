import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

/** True for tests that need the runtimes and packages of tools/package.json, which their ending shows. */
const needsTools = expect.getState().testPath?.endsWith('.runtimes.test.ts') ?? false;

if (needsTools && !existsSync(join(import.meta.dirname, '..', 'tools', 'node_modules'))) {
  throw new Error('This test needs packages of tools/, which are not installed: run `npx -y pnpm@12 tools`.');
}
