/** Several clients change the refs of one repo at the same time. Their replies must fit into one order. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { pathOf } from '../../../steps/content.ts';
import { holds } from '../../../steps/holds.ts';
import { mirrored } from '../../../steps/imports.ts';
import { accepted } from '../../../steps/repo-with.ts';
import { assertSuccess, shown } from '../../../steps/replies.ts';
import { expectIntact, refsOf } from '../../../tools/hosted-objects.ts';
import { change, noObject, pack } from '../../../tools/made-objects.ts';
import { same } from '../../../tools/same.ts';
import { push, set } from '../../../tools/wire-client.ts';
import { longest } from './in-turn.ts';
import { checkOrder, type Attempt, type Look, type Move } from './order.ts';
import { nextVersion, type Version } from './versions.ts';
import { branchNames } from './world.ts';

const clients = 3;
const actionsMax = 8;
const sequences = 2;
const author = { name: 'Ada Example', email: 'ada@example.com', time: 1_700_000_000, timezone: '+0000' };
const atomic = 'atomic';

interface Action {
  readonly how: 'push' | 'push' | 'push both' | 'delete by push' | 'commit' | 'delete' | 'set' | 'look';
  readonly branch: number;
}

const action: fc.Arbitrary<Action> = fc.record({
  how: fc.constantFrom('push', 'push', 'push both', 'delete by push', 'commit', 'delete', 'set', 'look'),
  branch: fc.nat(branchNames.length - 1),
});
const actions = fc.array(action, { minLength: 3, maxLength: actionsMax, size: 'max' });

/** One client: it knows the refs that it saw last, and changes them from there. */
class Client {
  readonly #t: Context;
  readonly #repo: TestRepo;
  readonly #name: string;
  readonly #log: { readonly attempts: Attempt[]; readonly looks: Look[] };
  /** Every commit that any client made, by id. */
  readonly #versions: Map<string, Version>;
  #view: Readonly<Record<string, string>> = {};
  #made = 0;

  constructor(
    t: Context,
    repo: TestRepo,
    name: string,
    log: { readonly attempts: Attempt[]; readonly looks: Look[] },
    versions: Map<string, Version>,
  ) {
    this.#t = t;
    this.#repo = repo;
    this.#name = name;
    this.#log = log;
    this.#versions = versions;
  }

  async run(all: readonly Action[]): Promise<void> {
    await this.#look();
    for (const { how, branch } of all) {
      const ref = `refs/heads/${branchNames[branch]}`;
      const old = this.#view[ref];
      if (how === 'push') await this.#push([ref]);
      else if (how === 'push both')
        await this.#push([ref, `refs/heads/${branchNames[(branch + 1) % branchNames.length]}`]);
      else if (how === 'delete by push' && old !== undefined) await this.#deleteByPush(ref, old);
      else if (how === 'commit') await this.#commit(ref);
      else if (how === 'delete' && old !== undefined) await this.#delete(ref, old);
      else if (how === 'set') await this.#set(ref);
      await this.#look();
    }
  }

  async #look(): Promise<void> {
    const from = performance.now();
    const refs = await refsOf(this.#repo);
    this.#log.looks.push({ client: this.#name, from, to: performance.now(), refs });
    this.#view = refs;
  }

  /** Makes a commit that no other client makes. */
  #next(old: string | undefined): Version {
    const text = `${this.#name} ${this.#made++}\n`;
    const parent = old === undefined ? undefined : this.#versions.get(old);
    const version = nextVersion(parent, 'a', text, text);
    this.#versions.set(version.node.oid, version);
    return version;
  }

  async #attempt(moves: readonly Move[], send: () => Promise<boolean>): Promise<void> {
    const attempt = { client: this.#name, moves, from: performance.now(), to: Infinity, isDone: undefined };
    const at = this.#log.attempts.push(attempt) - 1;
    const isDone = await send();
    this.#log.attempts[at] = { ...attempt, to: performance.now(), isDone };
  }

  async #push(refs: readonly string[]): Promise<void> {
    const planned = refs.map((ref) => ({ ref, old: this.#view[ref] ?? null, version: this.#next(this.#view[ref]) }));
    const moves = planned.map(({ ref, old, version }) => ({ ref, old, new: version.node.oid }));
    const objects = planned.flatMap(({ version }) => [...version.reach.values()]);
    await this.#attempt(moves, async () => {
      const commands = moves.map(({ ref, old, new: value }) => ({ ref, old: old ?? noObject, new: value }));
      return isTaken(await push(this.#repo, commands, pack(...objects), refs.length > 1 ? atomic : ''));
    });
  }

  async #deleteByPush(ref: string, old: string): Promise<void> {
    await this.#attempt([{ ref, old, new: null }], async () =>
      isTaken(await push(this.#repo, [{ ref, old, new: noObject }])),
    );
  }

  async #commit(ref: string): Promise<void> {
    const old = this.#view[ref];
    // A new branch would begin at the HEAD of the moment, which the client does not know.
    if (old === undefined) return;
    const { node, files } = this.#next(old);
    const content = (files.get('a')?.body ?? '').toString();
    const body = {
      branch: ref.slice('refs/heads/'.length),
      message: content,
      author,
      changes: [{ op: 'put', path: 'a', content }],
      expected_head: old,
    };
    await this.#attempt([{ ref, old, new: node.oid }], () =>
      this.#rest('POST', `${pathOf(this.#repo)}/commits`, body, 201),
    );
  }

  async #delete(ref: string, old: string): Promise<void> {
    await this.#attempt([{ ref, old, new: null }], () =>
      this.#rest('DELETE', `${pathOf(this.#repo)}/${ref}?old=${old}`, undefined, 200),
    );
  }

  /** Pushes a commit to a place where no other client looks, then moves the ref there over REST. */
  async #set(ref: string): Promise<void> {
    const old = this.#view[ref];
    const version = this.#next(old);
    await accepted(
      this.#repo,
      [set(`refs/own/${this.#name}/${this.#made}`, version.node)],
      pack(...version.reach.values()),
    );
    const body = { old: old ?? null, new: version.node.oid };
    await this.#attempt([{ ref, old: old ?? null, new: version.node.oid }], () =>
      this.#rest('PUT', `${pathOf(this.#repo)}/${ref}`, body, 200),
    );
  }

  /** Returns true if a change was made, and false if the ref had another value. */
  async #rest(method: string, path: string, body: unknown, status: number): Promise<boolean> {
    const reply = await this.#t.rest(method, path, body === undefined ? {} : { body });
    if (reply.status === 409 && reply.json?.errors?.[0]?.code === 10204) return false;
    assertSuccess(reply, status, `${method} ${path}: expected success or a stale value, got ${shown(reply)}`);
    return true;
  }
}

/** Returns true if a push was taken, and false if its first fault is a stale value. */
function isTaken([unpacked, ...lines]: readonly string[]): boolean {
  same(unpacked, 'unpack ok', 'The pack of a push is taken, whoever wins.');
  if (lines.every((line) => line.startsWith('ok '))) return true;
  for (const line of lines)
    assert.match(line, / (?:stale ref|atomic push failure)$/, 'Only a stale value is in the way.');
  return false;
}

export const statefulAtOnce: Suite = suite({
  id: 'rest/stateful/at-once',
  requirements: [
    'GIT-125',
    'GIT-150',
    'GIT-151',
    'GIT-155',
    'GIT-156',
    'GIT-157',
    'GIT-175',
    'REPO-245',
    'REPO-247',
    'REPO-253',
  ],
  level: 'MUST',
  beyond: true,
  needs: ['git'],
  slow: true,
  explanation: `The replies to ${clients} clients that change the same refs fit into one order, and nothing is lost.`,
  async run(t) {
    const property = fc.asyncProperty(fc.tuple(actions, actions, actions), async (each) => {
      const repo = await t.createRepo();
      const base = change('base');
      const start = { 'refs/heads/main': base.oid };
      await accepted(repo, [set('refs/heads/main', base)], pack(...base.all));
      const log = { attempts: [] as Attempt[], looks: [] as Look[] };
      const first: Version = {
        node: base,
        parents: [],
        files: new Map([['file', base.file]]),
        history: new Set([base.oid]),
        reach: new Map(base.all.map((object) => [object.oid, object])),
      };
      const versions = new Map([[base.oid, first]]);
      const all = each.map((_, i) => new Client(t, repo, `client-${i}`, log, versions));
      await Promise.all(all.map((client, i) => client.run(each[i] ?? [])));
      const end = await refsOf(repo);
      const listed = assertSuccess(await t.rest('GET', `${pathOf(repo)}/refs?limit=1000`), 200, 'GET of the refs');
      same(
        Object.fromEntries(listed.map(({ name, hash }: Record<string, string>) => [name, hash])),
        end,
        'Git and REST show the same refs at the end.',
      );
      for (const name of branchNames) checkOrder(`refs/heads/${name}`, start, end, log);
      await expectIntact(repo);
      const cwd = await mirrored(t, repo);
      await t.git(['fsck', '--full', '--strict', '--no-dangling'], { cwd });
    });
    await holds(t, sequences, property, longest);
  },
});
