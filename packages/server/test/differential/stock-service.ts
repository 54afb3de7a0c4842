import type { History } from '@packhouse/conformance/tools/random-history';
import { git, tryGit } from '../support/git.ts';
import { stockRepository } from '../support/stock-repository.ts';

/** Settings that make stock `git` offer the same as the service. */
const settings: Readonly<Record<string, string>> = {
  'uploadpack.allowTipSHA1InWant': 'true',
  'uploadpack.allowReachableSHA1InWant': 'true',
  'uploadpack.allowFilter': 'true',
  'uploadpack.allowRefInWant': 'true',
  'uploadpack.allowSidebandAll': 'true',
  'lsrefs.unborn': 'advertise',
  'transfer.advertiseSID': 'true',
  'transfer.advertiseObjectInfo': 'true',
  'receive.advertisePushOptions': 'true',
  'receive.autogc': 'false',
  'receive.denyDeleteCurrent': 'ignore',
  'gc.auto': '0',
  'pack.threads': '1',
};

/** A reply of stock `git` to one request. */
export interface StockReply {
  readonly body: Buffer;
  /** Its standard error when it died; undefined if it ended well. */
  readonly died: string | undefined;
}

/** A bare repository of stock `git` that answers as `git http-backend` lets it. */
export class StockService {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes a repository in `folder` that holds `history`. */
  static async open(folder: string, { refs, objects }: History): Promise<StockService> {
    const values = new Map([...refs].map(([name, { oid }]) => [name, oid]));
    await stockRepository(folder, objects.values(), values);
    return StockService.over(folder);
  }

  /** Serves the repository in `folder`. */
  static async over(folder: string): Promise<StockService> {
    for (const [name, value] of Object.entries(settings)) await git(['config', name, value], { cwd: folder });
    return new StockService(folder);
  }

  post(service: 'upload-pack' | 'receive-pack', version: 0 | 1 | 2, body: Uint8Array): Promise<StockReply> {
    return this.#run([service, '--stateless-rpc', this.folder], version, body);
  }

  discover(service: 'upload-pack' | 'receive-pack', version: 0 | 1 | 2): Promise<StockReply> {
    return this.#run([service, '--stateless-rpc', '--advertise-refs', this.folder], version);
  }

  async #run(args: readonly string[], version: 0 | 1 | 2, input: Uint8Array = new Uint8Array(0)): Promise<StockReply> {
    const env = { GIT_PROTOCOL: `version=${version}` };
    const { status, stdout, stderr } = await tryGit(args, { input, env });
    return { body: stdout, died: status === 0 ? undefined : stderr };
  }
}
