import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { executedBlocks } from './executed-blocks.ts';
import { address, environment, serveFolder } from './served-folder.ts';
import { readTracked } from './tracked-files.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

it.skipIf(!hasCurl)('the requests of docs/agents-day.md merge what forks tried, after a conflict too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-agents-day-'));
  const server = await serveFolder(folder);
  try {
    const script = executedBlocks(readTracked('docs/agents-day.md'))
      .join('\n')
      .replaceAll(address, new URL(server.url).host);
    expect(script).toContain(server.url);
    const after = `api POST /recipes/files '{"paths":["ABOUT.md","README.md","soups/tomato.md"]}'`;
    const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', `${script}\n${after}`], {
      cwd: folder,
      encoding: 'utf8',
      env: environment,
    });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').filter((line) => line.includes('"success":false'))).toEqual([
      expect.stringContaining('"reason":"merge_conflict"'),
    ]);
    expect(stdout).toContain('\n+1 tsp salt\n');
    const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as {
      result: { files: readonly { path: string; content: string | null }[] };
    };
    expect(last.result.files.map(({ path, content }) => [path, content])).toEqual([
      ['ABOUT.md', '# Recipes\n'],
      ['README.md', null],
      ['soups/tomato.md', '# Tomato soup\n\n1 kg tomatoes\n1/2 tsp salt\n1 tsp chili\n'],
    ]);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
