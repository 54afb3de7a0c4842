import { createGitEngine, verifyRepository } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import type { RepoCheck } from './examine.ts';

/** Makes the check that reads everything in a repository. */
export function repoCheck(): RepoCheck {
  const engine = createGitEngine({ codec: nodeCodec() });
  return async (repo, snapshot) =>
    (await verifyRepository(engine, repo, snapshot)).map(({ about, where, what }) => ({
      where: `${about} ${where}`,
      what,
    }));
}
