import type { GitEngine, GitRepository } from '../repository/engine.ts';
import type { MaintainOptions, MaintenanceReport } from './maintenance.ts';

/**
 * Maintains one repository: merges packs, collects what no ref has reached for long, and removes replaced packs.
 * Fetches and pushes may run meanwhile.
 */
export async function maintainRepository(
  _engine: GitEngine,
  _repository: GitRepository,
  _options: MaintainOptions,
): Promise<MaintenanceReport> {
  return { mergedPacks: 0, madePacks: 0, collectedObjects: 0, removedPacks: 0, nextAt: undefined };
}
