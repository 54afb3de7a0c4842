/** A program that was written against the public `Artifacts` binding, with its types alone. */
interface Env {
  readonly ARTIFACTS: Artifacts;
}

async function session(artifacts: Artifacts): Promise<object> {
  const { name, defaultBranch, remote, token } = await artifacts.create('agent-session', { setDefaultBranch: 'trunk' });
  const repo: ArtifactsRepo = await artifacts.get(name);
  const { plaintext, scope } = await repo.createToken('read', 3600);
  const { total } = await repo.listTokens();
  const fork = await repo.fork('agent-session-2', { defaultBranchOnly: false });
  const revoked = await repo.revokeToken(plaintext);
  const { repos } = await artifacts.list({ limit: 10 });
  const info: ArtifactsRepoInfo = await repo.info();
  let failure: object = {};
  try {
    await artifacts.get('missing');
  } catch (error) {
    const { name: errorName, code, numericCode } = error as ArtifactsError;
    failure = { name: errorName, code, numericCode };
  }
  const made = { defaultBranch, remote, token, fork: fork.name, listed: repos.map((one) => one.name) };
  return { ...made, scope, total, revoked, source: info.source, failure };
}

export default {
  fetch: async (_: Request, env: Env): Promise<Response> => Response.json(await session(env.ARTIFACTS)),
};
