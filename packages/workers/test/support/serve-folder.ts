import { apiPermissions } from '@packhouse/router';
import { startLocalWorkerd } from '@packhouse/workers/local';
import { apiToken } from './local-service.ts';

/** A process that serves a folder on a port, for tests that kill it. Says when it does, and ends with its input. */
const [folder = '', port = ''] = process.argv.slice(2);
const workerd = await startLocalWorkerd({
  host: '127.0.0.1',
  port: Number(port),
  folder,
  config: { public_url: 'http://127.0.0.1:1' },
  apiTokens: [{ token: apiToken, account: 'local', permissions: apiPermissions }],
  log: () => undefined,
});
process.stdout.write(`${workerd.url.origin}\n`);
process.stdin.on('end', () => void workerd.close());
process.stdin.resume();
