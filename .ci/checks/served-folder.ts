import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The entry of the command line. */
export const main: string = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');

/** The address of the server in documents. */
export const address = '127.0.0.1:8787';

/** The environment without variables that would send commands to another server. */
export const environment: NodeJS.ProcessEnv = { ...process.env };
delete environment['PACKHOUSE_API_TOKEN'];

/** Serves a folder from the sources. `url` is the origin. */
export async function serveFolder(
  folder: string,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = spawn(process.execPath, [main, 'serve', '--port', '0', '--json'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    async close() {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    },
  };
}
