import { exchangeBody, readRecordings } from '@packhouse/fixtures';
import { nodeCodec } from '../codec/node.ts';
import { MemoryState } from '../maintain/memory-state.test.util.ts';
import { MemoryStore } from '../pack/memory-store.test.util.ts';
import { createGitEngine } from '../engine/engine.ts';
import { verifyRepository } from '../verify/verify-repository.ts';
import { cut } from '../wire/packets.test.util.ts';
import { importRemote, type ImportOptions, type ImportOutcome } from './import-remote.ts';
import type { Fetch } from './exchange.ts';

/** The replies of stock git to a client that gets everything, in the order in which they are asked for. */
export function recordedReplies(scenario: string, version: 0 | 1 | 2): readonly Uint8Array[] {
  const recording = readRecordings().find((one) => one.scenario === scenario && one.version === version);
  if (recording === undefined) throw new RangeError(`no recording of ${scenario} in version ${version}`);
  return recording.exchanges.map(({ response }) => exchangeBody(response.body));
}

/** A remote that gives these replies to any requests, and then none. `cuts`: sizes of the chunks of bodies. */
export function answering(replies: readonly Uint8Array[], cuts: readonly number[] = []): Fetch {
  let next = 0;
  return async (request) => {
    const reply = replies[next++];
    if (reply === undefined) throw new TypeError('the remote is gone');
    const kind = request.method === 'GET' ? 'advertisement' : 'result';
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of cut(reply, cuts)) if (piece.length > 0) controller.enqueue(piece.slice());
        controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': `application/x-git-upload-pack-${kind}` } });
  };
}

/** Options with time and room enough. */
export const importOptions: Omit<ImportOptions, 'fetch'> = {
  url: new URL('https://remote.example/team/repo.git'),
  branch: undefined,
  depth: undefined,
  agent: 'packhouse/test',
  time: { idle: 20_000, total: 20_000 },
  hiddenRefs: [],
  strictObjects: false,
  blobMax: 1_000_000,
  objectMax: 1_000_000,
  memoryMax: 67_108_864,
  chainDepthMax: 50,
  chainMax: 2 ** 31,
  commitMax: 1 << 20,
  commitParentsMax: 1024,
  inflatedMax: 2 ** 32,
  graphMax: 1 << 24,
  repoStorageMax: 10_000_000,
  accountStorageLeft: async () => 10_000_000,
  pushId: 'import',
  now: () => 1_700_000_000_000,
};

/** A repository of a test, with nothing in it. */
export class Importing {
  readonly state: MemoryState = new MemoryState();
  readonly packs: MemoryStore;
  readonly #engine = createGitEngine({ codec: nodeCodec() });

  /** Packs above three parts do not stay in memory. */
  constructor(partSize = 1_000_000) {
    this.packs = new MemoryStore(partSize);
  }

  /** Work that was counted, by kind. */
  get counted(): Float64Array {
    return this.#engine.scheduler.totals;
  }

  run(options: Partial<ImportOptions> & Pick<ImportOptions, 'fetch'>): Promise<ImportOutcome> {
    return importRemote(this.#engine, this, this.state.current, { ...importOptions, ...options });
  }

  /** True if nothing was stored. */
  get isUntouched(): boolean {
    const { records, packs, files, shallow, version } = this.state;
    return records.length + packs.length + files.length + shallow.length + this.packs.files.size === 0 && version === 1;
  }

  /** Refs by name, after all of the repository was checked. */
  async soundRefs(): Promise<Readonly<Record<string, string>>> {
    const problems = await verifyRepository(this.#engine, this, this.state.current);
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
    return Object.fromEntries(this.state.records.map(({ name, oid }) => [name, oid]));
  }
}
