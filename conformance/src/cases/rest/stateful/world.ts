/** The model of the stateful cases: what a correct service holds after the requests so far. */

import fc from 'fast-check';
import type { Context, TestRepo } from '../../../core/context.ts';
import { nextVersion, paths, type Version } from './versions.ts';

export interface World {
  /** The namespace of this run. No other case uses it. */
  readonly namespace: string;
  readonly repos: ModelRepo[];
  /** Deleted repos, with a token that opened them. */
  readonly gone: ModelRepo[];
  /** Every commit that was made, whether or not a repo has it. */
  readonly versions: Version[];
}

export interface ModelRepo {
  repo: TestRepo;
  description: string | null;
  defaultBranch: string;
  readOnly: boolean;
  /** Values by full name. */
  readonly refs: Map<string, Version>;
  readonly tokens: ModelToken[];
  /** The commits that a ref reached at any time. The service may keep them a while after the last one did. */
  readonly seen: Set<string>;
  /** The commits of refused updates in a push of which others were done: stored with its pack, and never reached. */
  readonly stored: Set<string>;
}

export interface ModelToken {
  readonly id: string;
  readonly text: string;
  readonly scope: 'read' | 'write';
  revoked: boolean;
}

/** Names of which no one is a folder of another. */
export const refNames = ['refs/heads/main', 'refs/heads/side', 'refs/heads/deep/er', 'refs/tags/v1'] as const;
export const branchNames = ['main', 'side', 'deep/er'] as const;

/** One step of a run: it changes the service and the model, and compares what both answer. */
export type Step = fc.AsyncCommand<World, Context>;

/** Declares a step. `text` shows it in a failure. */
export function step(
  text: string,
  possible: (world: World) => boolean,
  run: (world: World, t: Context) => Promise<void>,
): Step {
  return { check: (world) => possible(world), run: async (world, t) => await run(world, t), toString: () => text };
}

export const hasRepo = (world: World): boolean => world.repos.length > 0;

/** A number that picks one of several. */
export const choice: fc.Arbitrary<number> = fc.nat(11);

/** Picks one of several by a number of any size. */
export function pick<T>(from: readonly T[], number: number): T {
  return from[number % from.length] as T;
}

/** Makes a commit that no other step makes: its text has the number of the commit. */
export function makeVersion(world: World, parent: Version | undefined, number: number): Version {
  const text = `version ${world.versions.length}\n`;
  const version = nextVersion(parent, pick(paths, number), text, text);
  world.versions.push(version);
  return version;
}

/** Sets a ref of the model, or deletes it. */
export function setRef(to: ModelRepo, name: string, value: Version | undefined): void {
  if (value === undefined) {
    to.refs.delete(name);
    return;
  }
  to.refs.set(name, value);
  for (const oid of value.history) to.seen.add(oid);
}

/** Returns the objects that the refs reach, by id. */
export function reachOf({ refs }: ModelRepo): Version['reach'] {
  return new Map([...refs.values()].flatMap(({ reach }) => [...reach]));
}

/** Returns true if a ref reaches the commit. */
export function reaches({ refs }: ModelRepo, { node }: Version): boolean {
  return [...refs.values()].some(({ history }) => history.has(node.oid));
}

/** Returns the values as ids. */
export function idsByName({ refs }: ModelRepo): Record<string, string> {
  return Object.fromEntries([...refs].map(([name, { node }]) => [name, node.oid]));
}

/** Returns the full name of the branch that HEAD resolves to (GIT-130); undefined if HEAD is unborn. */
export function headOf({ refs, defaultBranch }: ModelRepo): string | undefined {
  const usual = `refs/heads/${defaultBranch}`;
  const branches = [...refs.keys()].filter((name) => name.startsWith('refs/heads/'));
  if (refs.has(usual)) return usual;
  return branches.length === 1 ? branches[0] : undefined;
}
