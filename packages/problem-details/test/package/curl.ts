import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the README's apps serve. */
const shown = 'localhost:8787';

export const hasCurl: boolean = spawnSync('curl', ['--version']).status === 0;

/** Standard output of a command line as it stands in the README, with its address leading to another one. */
export async function runCommand(command: string, url: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'problem-details-curl-'));
  try {
    writeFileSync(join(folder, '.curlrc'), `connect-to = "${shown}:${new URL(url).host}"\nnoproxy = "*"\n`);
    return await new Promise((resolve, reject) => {
      const options = { cwd: folder, env: { ...process.env, CURL_HOME: folder }, timeout: 20_000 };
      execFile('bash', ['--norc', '-euo', 'pipefail', '-c', command], options, (error, stdout) => {
        if (error === null) resolve(stdout);
        else reject(error);
      });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
