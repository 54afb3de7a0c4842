import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address, environment, serveFolder } from './served-folder.ts';
import { readTracked } from './tracked-files.ts';

const document = readTracked('docs/tagging.md');

/** Older releases of curl lack `--json`. */
const hasCurl = spawnSync('curl', ['--help', 'all'], { encoding: 'utf8' }).stdout?.includes('--json') === true;

/** A command of a `console` block, and its expected output. */
interface Command {
  readonly command: string;
  readonly output: string;
}

/** The commands of all blocks that are marked as run by this test. */
const commands = [
  ...document.matchAll(/<!-- executed by \.ci\/checks\/tagging-document\.test\.ts -->\s*```console\n([^]*?)```/g),
].flatMap(([, block = '']) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((part): Command => {
      const end = part.indexOf('\n');
      return { command: part.slice(0, end), output: part.slice(end + 1).trimEnd() };
    }),
);

/** Replaces the ids of repositories, the times and the port, which differ each time. */
const withoutChance = (text: string): string =>
  text
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '<server>')
    .replaceAll(/"id":"[0-9a-z]{16}"/g, '"id":"<id>"')
    .replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"<time>"');

it('docs/tagging.md has no block of commands that is not run', () => {
  expect(document.match(/^```console$/gm)).toHaveLength(
    document.match(/tagging-document\.test\.ts -->\s*```console/g)?.length ?? 0,
  );
  expect(document).not.toMatch(/^```sh$/m);
});

describe.skipIf(!hasCurl)('the commands of docs/tagging.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-tagging-'));
  let server: Awaited<ReturnType<typeof serveFolder>>;

  beforeAll(async () => {
    server = await serveFolder(folder);
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('print what the document says', () => {
    const end = '-- end of a command --';
    const script = commands.map(({ command }) => `${command}\nprintf '\\n%s\\n' '${end}'\n`).join('');
    // `--norc`: with a socket as its input, bash believes that it is a remote shell and reads the machine's own file.
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--norc', '-euo', 'pipefail', '-c', script.replaceAll(address, new URL(server.url).host)],
      { cwd: folder, encoding: 'utf8', env: environment },
    );
    expect([status, stderr]).toEqual([0, '']);
    const printed = stdout.split(`${end}\n`).slice(0, -1);
    expect(printed.map((text) => withoutChance(text.trim()))).toEqual(
      commands.map(({ output }) => withoutChance(output)),
    );
    expect(printed.filter((text) => text.trim() !== '')).toHaveLength(6);
  });
});
