import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchPack } from '../client/fetch.ts';
import { noObject, pushPack, type RefChange } from '../client/push.ts';
import type { Remote } from '../client/remote.ts';
import { runGit, runGitForBytes } from '../internal/run-git.ts';
import type { Row } from '../report/row.ts';
import type { Server } from '../servers/server.ts';
import type { Bench } from './bench.ts';
import { ratePerSecond } from './rounds.ts';

/** Requests of one sample, by the number of connections. */
const samples = [
  { connections: 1, requests: 150, title: 'one at a time' },
  { connections: 16, requests: 400, title: '16 at a time' },
] as const;

/** A first push of one commit with one file. */
export interface SmallRepository {
  readonly change: RefChange;
  readonly packFile: string;
}

export const smallRepository = async (cwd: string): Promise<SmallRepository> => {
  const person = 'Bench <bench@example.test> 1790000000 +0000';
  const [text, message] = ['A small file.\n', 'The only commit\n'];
  const stream =
    `commit refs/bench/small\ncommitter ${person}\ndata ${message.length}\n${message}` +
    `M 100644 inline readme\ndata ${text.length}\n${text}\n`;
  await runGit(['fast-import', '--quiet'], { cwd, input: stream });
  const to = await runGit(['rev-parse', 'refs/bench/small'], { cwd });
  const packFile = join(cwd, 'everyday.pack');
  const pack = await runGitForBytes(['pack-objects', '--revs', '--stdout', '-q'], { cwd, input: `${to}\n` });
  await writeFile(packFile, pack);
  return { change: { ref: 'refs/heads/main', from: noObject, to }, packFile };
};

/** One kind of request; `prepare` returns what one request needs, and is not measured. */
export interface Operation {
  readonly title: string;
  readonly prepare?: () => Promise<Remote>;
  readonly run: (remote: Remote | undefined) => Promise<unknown>;
}

const reposPath = '/repos/namespaces/default/repos';

/** Yields the requests of everyday; each is for a repository with one small commit. */
export async function* operationsOf(server: Server, { change, packFile }: SmallRepository): AsyncGenerator<Operation> {
  const { rest } = server;
  const newName = (): string => `everyday-${randomUUID()}`;
  const name = newName();
  const small = await server.createRepository(name);
  await pushPack(small, [change], packFile);
  await server.settle(name);
  yield {
    title: 'push of one commit',
    prepare: () => server.createRepository(newName()),
    run: (remote) => pushPack(remote as Remote, [change], packFile),
  };
  yield { title: 'clone of one commit', run: () => fetchPack(small, { wants: [change.to], haves: [] }) };
  if (rest === undefined) return;
  yield { title: 'create', run: () => rest('POST', reposPath, { name: newName() }) };
  yield { title: 'fork', run: () => rest('POST', `${reposPath}/${name}/fork`, { name: newName() }) };
  yield { title: 'file', run: () => rest('GET', `${reposPath}/${name}/raw/main/readme`) };
  yield { title: 'list of 50', run: () => rest('GET', `${reposPath}?limit=50`) };
  let turn = 0;
  yield {
    title: 'tag',
    run: () => rest('PUT', '/tags', { resource_type: 'worker', resource_id: `w${turn++}`, tags: { step: '1' } }),
  };
}

/** Measures requests of everyday per second, and the processor time that each takes on the server. */
export const measureEveryday = async ({ contenders, source, rounds }: Bench): Promise<Row[]> => {
  const small = await smallRepository(source.path);
  const rows = new Map<string, { unit: Row['unit']; samples: Record<string, number[]> }>();
  const add = (title: string, unit: Row['unit'], server: string, sample: number): void => {
    const row = rows.get(title) ?? { unit, samples: {} };
    (row.samples[server] ??= []).push(sample);
    rows.set(title, row);
  };
  for (let round = 0; round < rounds; round++) {
    for (const { name, server } of contenders) {
      for await (const { title, prepare, run } of operationsOf(server, small)) {
        for (const { connections, requests, title: how } of samples) {
          const prepared: Remote[] = [];
          if (prepare !== undefined) for (let i = 0; i < requests; i++) prepared.push(await prepare());
          const before = server.processorTime?.();
          add(
            `${title}, ${how}`,
            'requests/s',
            name,
            await ratePerSecond(requests, connections, () => run(prepared.pop())),
          );
          if (before === undefined || server.processorTime === undefined) continue;
          add(`${title}, ${how}: processor`, 'ms', name, (server.processorTime() - before) / requests);
        }
      }
    }
  }
  await rm(small.packFile, { force: true });
  return [...rows].map(([title, row]) => ({ name: 'everyday', title, gitStarts: 0, ...row }));
};
