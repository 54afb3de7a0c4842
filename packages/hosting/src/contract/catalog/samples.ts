import type { NewRepo } from '../../ports/catalog.ts';

/** A new repository of the namespace `Team`. */
export function sampleNewRepo(id: string, name: string, more: Partial<NewRepo> = {}): NewRepo {
  return {
    id,
    namespace: 'Team',
    name,
    description: null,
    defaultBranch: 'main',
    readOnly: false,
    source: null,
    parentId: null,
    rootId: null,
    status: 'creating',
    createdAt: 1000,
    ...more,
  };
}
