import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { configurationOf } from './configuration.ts';
import { checkLog, type StartDeployment } from './deployment.ts';
import { readLog } from './server-log.ts';

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

export type Runtime = 'node' | 'workerd' | 'deno' | 'bun';

/** Milliseconds until a process that does not become ready is killed. */
const startTime = 45_000;
/** Milliseconds from SIGTERM until the process is killed. */
const stopTime = 20_000;

/** Starts `packhouse serve` as a user would, in a new process and on a new data folder. */
export function served(runtime: Runtime): StartDeployment {
  return async ({ dialect, tenants, settings, remote }) => {
    const folder = await mkdtemp(join(tmpdir(), `packhouse-${runtime}-`));
    const config = join(folder, 'config.json');
    await writeFile(config, JSON.stringify(configurationOf(tenants, settings)), { mode: 0o600 });
    const where = ['--config', config, '--data', join(folder, 'data'), '--port', '0'];
    const how = ['--dialect', dialect, '--json', ...(runtime === 'node' ? [] : ['--runtime', runtime])];
    const child = spawn(process.execPath, [main, 'serve', ...where, ...how], {
      env: { ...process.env, ...remote?.environment, PACKHOUSE_API_TOKEN: randomBytes(24).toString('hex') },
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
      await rm(folder, { recursive: true, force: true });
      throw new Error(`packhouse serve --runtime ${runtime} ended with ${ready}:\n${log.last.join('\n')}`);
    }
    return {
      origin: (JSON.parse(ready) as { url: string }).url,
      async stop() {
        const killed = setTimeout(() => child.kill('SIGKILL'), stopTime);
        child.kill('SIGTERM');
        const code = await ended;
        clearTimeout(killed);
        await rm(folder, { recursive: true, force: true, maxRetries: 3 });
        checkLog(log.errors);
        if (code !== 0) throw new Error(`the server ended with ${code}:\n${log.last.join('\n')}`);
      },
    };
  };
}
