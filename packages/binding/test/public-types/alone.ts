/** A program without a types package, and without newer language libraries than DOM's. */
import type { Repos } from '../../src/repos.ts';

export async function firstFile(repos: Repos, name: string): Promise<string | undefined> {
  using repo = await repos.get(name);
  const blob = await repo.readFile({ ref: 'main', path: 'plan.md' });
  return blob?.text();
}
