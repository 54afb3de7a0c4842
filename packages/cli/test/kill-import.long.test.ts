import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runGit } from '@packhouse/fixtures';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killRounds } from './support/kill-rounds.ts';
import { serviceToKill, type ServiceToKill } from './support/service-to-kill.ts';
import { serveTlsRemote, type TlsRemote } from './support/tls-remote.ts';

const eachRuntime = killRounds({ node: 4, deno: 3, bun: 3 }, { node: 8, deno: 3, bun: 3 });
/** Longer than an import takes here, so that kills hit every stage and some come too late. */
const longestDelay = 700;

let service: ServiceToKill;
let remote: TlsRemote;

beforeEach(async () => {
  service = serviceToKill('kill-import', { import_allow: ['localhost'] }, 'trunk');
  const { folder, work } = service;
  // One is stored in rows, the other in files.
  for (const [name, size] of [
    ['small', 20_000],
    ['large', 6_000_000],
  ] as const) {
    service.commit(name, randomBytes(size));
    runGit(['clone', '--quiet', '--bare', work, join(folder, 'remotes', `${name}.git`)]);
  }
  remote = await serveTlsRemote(join(folder, 'remotes'), 1);
  Object.assign(process.env, remote.environment);
});

afterEach(async () => {
  for (const name of Object.keys(remote.environment)) delete process.env[name];
  await remote.close();
  await service.end();
});

const rest: ServiceToKill['rest'] = (method, path, body) => service.rest(method, `/repos/${path}`, body);

/** Imports. Resolves to true if the client saw that it succeeded. */
async function sawImport(name: string, of: string): Promise<boolean> {
  const reply = await rest('POST', `${name}/import`, { url: `${remote.origin}/${of}` }).catch(() => undefined);
  if (reply !== undefined) expect(reply).toMatchObject({ status: 201, result: { default_branch: 'trunk' } });
  return reply !== undefined;
}

describe('a server killed during an import', () => {
  it.each(eachRuntime)(
    '%s, REPO-133, GIT-153: has the whole import or none of it, in each of %i rounds',
    async (runtime, rounds) => {
      await service.start(runtime);
      let cut = 0;
      for (let round = 0; round < rounds; round++) {
        const name = `import-${round}`;
        const of = round % 3 === 2 ? 'small' : 'large';
        const delay = round === 0 ? 0 : Math.random() * longestDelay;
        const imported = sawImport(name, of);
        await (round === rounds - 1 ? imported : wait(delay));
        await service.server.kill();
        const saw = await imported;
        const when = `round ${round} after ${delay} ms`;
        await service.examine(when);
        await service.start(runtime);
        const { status, result } = await rest('GET', name);
        if (saw) expect(status, `${when}: acknowledged`).toBe(200);
        else cut++;
        if (status === 200) expect(result).toMatchObject({ default_branch: 'trunk' });
        else expect(status, when).toBe(404);
        if (status === 404) expect(await sawImport(name, of), `${when}: the name is free`).toBe(true);
      }
      // Some kills must have come in time, and some too late, or nothing was tested.
      expect(cut).toBeGreaterThan(0);
      expect(cut).toBeLessThan(rounds);
    },
    180_000,
  );

  it('workerd, REPO-133, GIT-153: has all of it, or an ended import that can be deleted', async () => {
    await service.start('workerd');
    const seen: number[] = [];
    for (const [round, delay] of [Math.random() * longestDelay, undefined].entries()) {
      const name = `import-${round}`;
      const imported = sawImport(name, 'large');
      await (delay === undefined ? imported : wait(delay));
      await service.server.kill();
      const saw = await imported;
      // The next start ends what is left of the import.
      await service.start('workerd');
      const { status, result } = await rest('GET', name);
      const when = `round ${round} after ${delay} ms`;
      seen.push(status);
      if (saw) expect(status, `${when}: acknowledged`).toBe(200);
      if (status === 200) expect(result).toMatchObject({ default_branch: 'trunk' });
      else expect([404, 409], when).toContain(status);
      // The sweep would do the same within a minute.
      if (status === 409) expect((await rest('DELETE', name)).status).toBe(202);
      if (status !== 200) expect(await sawImport(name, 'large'), `${when}: the name is free`).toBe(true);
    }
    expect(seen.at(-1)).toBe(200);
  }, 180_000);
});
