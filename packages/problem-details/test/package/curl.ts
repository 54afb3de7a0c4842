import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Address of the apps in the README. */
const shown = 'localhost:8787';

export const hasCurl: boolean = spawnSync('curl', ['--version']).status === 0;

/** Runs a command line of the README against another address, and returns its standard output. */
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
