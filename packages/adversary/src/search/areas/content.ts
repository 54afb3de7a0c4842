import { openTemporaryService } from '../../service/temporary-service.ts';
import { urlMax, type Area, type Values } from '../inputs/area.ts';
import { prepareRepos, type PreparedRepo } from '../inputs/prepared-repos.ts';

/** Reads repositories over REST that are costly to read. */
export const contentArea: Area = {
  name: 'content',
  fields: {
    repo: { max: 14 },
    operation: { max: 7 },
    limit: { max: 1_000, byMagnitude: true },
    path: { max: 8 },
    depth: { max: 3_000, byMagnitude: true },
    revision: { max: 5 },
    steps: { max: 2_000, byMagnitude: true },
  },
  async open() {
    const service = openTemporaryService();
    const repos = await prepareRepos(service);
    return {
      service,
      trial(values) {
        const prepared = repos[(values['repo'] ?? 0) % repos.length] as PreparedRepo;
        const path = contentPath(values, prepared).slice(0, urlMax);
        return Promise.resolve({ sent: path.length, run: async () => [await prepared.repo.get(path)] });
      },
    };
  },
};

function contentPath(values: Values, { tips, paths }: PreparedRepo): string {
  const value = (name: string): number => values[name] ?? 0;
  const tip = tips[(tips.length - 1 - (value('steps') % tips.length)) % tips.length] as string;
  const steps = value('steps');
  const revisions = [
    'main',
    tip,
    `main~${steps}`,
    `main${'^'.repeat(steps)}`,
    tip.slice(0, 7),
    `refs/tags/${steps.toString(36)}`,
  ];
  const revision = encodeURIComponent(revisions[value('revision')] ?? 'main');
  const repeated = Array.from({ length: value('depth') + 1 }, () => ['0', '00', 'd'][value('path') % 3]).join('/');
  const path = [...paths, repeated][value('path') % (paths.length + 1)] ?? repeated;
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  switch (value('operation')) {
    case 0:
      return `/log?limit=${Math.max(1, value('limit'))}`;
    case 1:
      return `/log?ref=${revision}&limit=${Math.max(1, value('limit'))}&path=${encodeURIComponent(path)}`;
    case 2:
      return `/commit/${tip}`;
    case 3:
      return `/tree/${tip}`;
    case 4:
      return `/blob/${tip}`;
    case 5:
      return `/file?ref=${revision}&path=${encodeURIComponent(path)}`;
    case 6:
      return `/raw/${revision}/${encoded}`;
    default:
      return '';
  }
}
