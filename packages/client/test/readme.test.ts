import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

/** Puts the mocks in the place of the service in memory. The client then calls the address of the example. */
function overMocks(code: string): string {
  const mocks = `import { createMock } from '@packhouse/msw';
import { setupServer } from 'msw/node';

const server = setupServer(...createMock({ baseUrl: 'http://127.0.0.1:8787' }).handlers);
server.listen({ onUnhandledFrame: 'error' });
`;
  return code
    .replace(/import \{ packhouse \}[^]*?\n\}\);\n/, mocks)
    .replace(/^ *fetch:.*\n/m, '')
    .concat('server.close();\n');
}

describe('the example of the README prints what it says', () => {
  it.each([
    ['with a service in memory', (code: string) => code],
    ['with mocks', overMocks],
  ])('%s', async (form, write) => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const [, code = '', printed] =
      /```ts\n([^]*?)```\n+<!-- printed by first.ts -->\n+```text\n([^]*?)```/.exec(readme) ?? [];
    const file = fileURLToPath(new URL(`readme-${form.replaceAll(' ', '-')}.mts`, import.meta.url));
    try {
      writeFileSync(file, write(code));
      const { stdout } = await promisify(execFile)(process.execPath, [file]);
      expect(stdout).toBe(printed);
    } finally {
      rmSync(file, { force: true });
    }
  });
});
