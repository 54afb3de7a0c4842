import { recordsOf, type RefName, type RefPage, type RefRecord } from '@packhouse/git';
import { expect } from 'vitest';
import type { OpenState } from './repo-state.ts';
import type { RepoStateModel } from './model.ts';

/** Reads the refs of one version page by page, and then compares them with the model. */
export class SlowReader {
  readonly #open: OpenState;
  readonly #id: string;
  readonly #model: RepoStateModel;
  readonly #limit: number;
  #version: number;
  #after: RefName | undefined;
  #found: RefRecord[] = [];

  /** @param limit number of refs per page. */
  constructor(open: OpenState, id: string, model: RepoStateModel, limit: number) {
    this.#open = open;
    this.#id = id;
    this.#model = model;
    this.#limit = limit;
    this.#version = model.version;
  }

  /** Reads one more page. At the end, starts again with the current version. */
  async step(): Promise<void> {
    const after = this.#after === undefined ? {} : { after: this.#after };
    const query = { kind: 'below', prefix: 'refs/', limit: this.#limit, ...after } as const;
    const { chunks, next } = (await this.#open(this.#id).refs(this.#version, query)) as RefPage;
    for (const refs of chunks) this.#found.push(...recordsOf({ refs, from: 0, to: refs.count }));
    this.#after = next;
    if (next !== undefined) return;
    expect(this.#found).toEqual(this.#model.list(this.#version));
    await this.#compareOthers();
    [this.#version, this.#found] = [this.#model.version, []];
  }

  /** Compares the results of the other queries for that version. */
  async #compareOthers(): Promise<void> {
    const state = this.#open(this.#id);
    const records = this.#model.list(this.#version);
    const now = this.#model.list();
    const names = [...new Set([...records, ...now].map(({ name }) => name))];
    const oids = [...new Set([...records, ...now].map(({ oid }) => oid))];
    const read = async (query: Parameters<typeof state.refs>[1]): Promise<readonly RefRecord[]> => {
      const page = (await state.refs(this.#version, query)) as RefPage;
      return page.chunks.flatMap((refs) => [...recordsOf({ refs, from: 0, to: refs.count })]);
    };
    expect(await read({ kind: 'named', names })).toEqual(records);
    expect(await read({ kind: 'pointing', oids })).toEqual(records);
    const changed = new Map(
      (await read({ kind: 'changed', since: this.#model.version })).map((ref) => [ref.name, ref]),
    );
    const kept = now.filter((ref) => records.some((one) => one.name === ref.name && one.oid === ref.oid));
    // Refs that changed and changed back may be listed, too.
    const told = records.filter((ref) => changed.has(ref.name) || !kept.some(({ name }) => name === ref.name));
    expect([...changed.values()]).toEqual(told);
  }
}
