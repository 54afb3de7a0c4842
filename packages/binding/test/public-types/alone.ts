/** Written as a program that has no types package, and no newer library of the language than DOM's. */
import type { Repos } from '../../src/repos.ts';

export async function firstFile(repos: Repos, name: string): Promise<string | undefined> {
  using repo = await repos.get(name);
  const blob = await repo.readFile({ ref: 'main', path: 'plan.md' });
  return blob?.text();
}
