import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { checkLog } from './deployment.ts';
import { readLog } from './server-log.ts';

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

/** Milliseconds until a process that does not become ready is killed. */
const startTime = 45_000;
/** Milliseconds from SIGTERM until the process is killed. */
const stopTime = 20_000;

/** A running `packhouse serve`. */
export interface ServeProcess {
  readonly url: string;
  /**
   * Stops the server.
   *
   * @throws if its log has an entry of the level `error`, or it ended with another code than 0.
   */
  stop(): Promise<void>;
}

/** Starts `packhouse serve` as a user would, in a new process, and waits for its ready line. */
export async function startServe(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ServeProcess> {
  const child = spawn(process.execPath, [main, 'serve', ...words, '--json'], {
    env: { ...process.env, PACKHOUSE_API_TOKEN: randomBytes(24).toString('hex'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => resolve(code));
  });
  const log = readLog(child.stderr);
  const firstLine = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).once('line', resolve);
  });
  const unready = setTimeout(() => child.kill('SIGKILL'), startTime);
  const ready = await Promise.race([firstLine, ended]);
  clearTimeout(unready);
  if (typeof ready !== 'string') {
    throw new Error(`packhouse serve ${words.join(' ')} ended with ${ready}:\n${log.last.join('\n')}`);
  }
  return {
    url: (JSON.parse(ready) as { url: string }).url,
    async stop() {
      const killed = setTimeout(() => child.kill('SIGKILL'), stopTime);
      child.kill('SIGTERM');
      const code = await ended;
      clearTimeout(killed);
      checkLog(log.errors);
      if (code !== 0) throw new Error(`the server ended with ${code}:\n${log.last.join('\n')}`);
    },
  };
}
