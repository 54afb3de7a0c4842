import { rowPackMax } from '@packhouse/git';
import { maintainHostedRepo } from '@packhouse/hosting';
import { pushBody, shortRef, type HostileRepo } from '@packhouse/fixtures/hostile';
import type { LocalService } from '../../service/local-service.ts';
import { openTemporaryService } from '../../service/temporary-service.ts';
import type { Area } from '../inputs/area.ts';
import { cutPush } from '../inputs/effort.ts';
import { buildPack, pushFields } from './push.ts';

/** Runs maintenance after hostile pushes: merges their packs, then collects their objects after the refs are gone. */
export const maintenanceArea: Area = {
  name: 'maintenance',
  fields: { ...pushFields, pushes: { max: 12 }, deletes: { max: 1 } },
  cut: (values, effort) => cutPush({ ...values, parallel: 1 }, effort, (values['pushes'] ?? 0) + 1),
  open() {
    const service = openTemporaryService();
    return Promise.resolve({
      service,
      async trial(values) {
        const repo = await service.target.createRepo();
        const { pack, tips } = buildPack(values);
        const pushes = (values['pushes'] ?? 0) + 1;
        const commands = Array.from({ length: pushes }, (_, i) => ({
          ref: shortRef(i).replace('heads', 'tags'),
          to: tips[i % tips.length] as string,
        }));
        // The same pack several times: duplicates for the merge.
        for (const command of commands) await repo.push(pushBody([command], pack));
        if (values['deletes'] === 1) {
          await repo.push(
            pushBody(
              commands.map(({ ref, to }) => ({ ref, from: to })),
              Buffer.alloc(0),
            ),
          );
        }
        return {
          sent: pack.length * pushes,
          async run() {
            for (let round = 0; round < 3; round++) await maintain(service, repo, round);
            return [];
          },
        };
      },
    });
  },
};

const day = 86_400_000;

async function maintain(service: LocalService, repo: HostileRepo, round: number): Promise<void> {
  await maintainHostedRepo(service.engine, service.storage.repo('local', repo.id, 'unrestricted'), {
    now: Date.now() + round * 2 * day,
    grace: day,
    retireGrace: 0,
    mergeMax: Number.MAX_SAFE_INTEGER,
    rowsMax: rowPackMax,
    quietMerge: { after: 60_000, alwaysMax: 64 * 1_048_576 },
    inUse: (id) => service.engine.leases.has(id),
    newId: () => crypto.randomUUID(),
  });
}
