import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalService, type LocalOptions, type LocalService } from './local-service.ts';

/** Memory for all requests together: the share that a server of 1 GiB gives them. */
export const requestsMemory: number = 512 * 1024 * 1024;

/** Opens a service on SQLite and files, in a folder that `close` removes. */
export function openTemporaryService(options: Omit<LocalOptions, 'data'> = {}): LocalService {
  const data = mkdtempSync(join(tmpdir(), 'packhouse-adversary-'));
  const service = openLocalService({ ...options, engine: { memory: requestsMemory, ...options.engine }, data });
  return {
    ...service,
    async close() {
      await service.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
