import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('the example of the README prints what it says', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, code = '', printed] =
    /```ts\n([^]*?)```\n+<!-- printed by first.ts -->\n+```text\n([^]*?)```/.exec(readme) ?? [];
  const file = fileURLToPath(new URL('readme-example.mts', import.meta.url));
  try {
    writeFileSync(file, code);
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(stdout).toBe(printed);
  } finally {
    rmSync(file, { force: true });
  }
});
