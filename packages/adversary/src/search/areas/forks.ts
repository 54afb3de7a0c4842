import { openTemporaryService } from '../../service/temporary-service.ts';
import type { Area } from '../inputs/area.ts';
import { prepareRepos, type PreparedRepo } from '../inputs/prepared-repos.ts';

/** Forks repositories that are costly to walk, and reads the forks. */
export const forksArea: Area = {
  name: 'forks',
  fields: { repo: { max: 14 }, times: { max: 20, byMagnitude: true }, flags: { max: 3 } },
  async open() {
    const service = openTemporaryService();
    const repos = await prepareRepos(service);
    let number = 0;
    return {
      service,
      trial(values) {
        const { repo } = repos[(values['repo'] ?? 0) % repos.length] as PreparedRepo;
        const flags = values['flags'] ?? 0;
        const bodies = Array.from({ length: (values['times'] ?? 0) + 1 }, () =>
          Buffer.from(
            JSON.stringify({
              name: `fork-${number++}`,
              default_branch_only: (flags & 1) === 0,
              read_only: (flags & 2) !== 0,
            }),
          ),
        );
        return Promise.resolve({
          sent: bodies.reduce((sum, body) => sum + body.length, 0),
          run: () => Promise.all(bodies.map((body) => repo.post('/fork', body))),
        });
      },
    };
  },
};
