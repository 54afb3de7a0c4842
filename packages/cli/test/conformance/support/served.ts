import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configurationOf } from './configuration.ts';
import type { StartDeployment } from './deployment.ts';
import { startServe } from './serve-process.ts';

export type Runtime = 'node' | 'workerd' | 'deno' | 'bun';

/** Serves a new data folder in a new process. */
export function served(runtime: Runtime): StartDeployment {
  return async ({ dialect, tenants, settings, remote }) => {
    const folder = await mkdtemp(join(tmpdir(), `packhouse-${runtime}-`));
    const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
    const config = join(folder, 'config.json');
    await writeFile(config, JSON.stringify(configurationOf(tenants, settings)), { mode: 0o600 });
    const where = ['--config', config, '--data', join(folder, 'data'), '--port', '0'];
    const how = ['--dialect', dialect, ...(runtime === 'node' ? [] : ['--runtime', runtime])];
    try {
      const { url, stop } = await startServe([...where, ...how], remote?.environment);
      return { origin: url, stop: () => stop().finally(remove) };
    } catch (error) {
      await remove();
      throw error;
    }
  };
}
