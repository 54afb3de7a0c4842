import type { Codec, GitEngine } from '@packhouse/git';
import type { Hosting, RepoStorage } from '@packhouse/hosting';
import type { ServiceSettings } from '@packhouse/router';
import type { Tagging, TagStores } from '@packhouse/tagging';
import { told } from '../values/named.ts';
import { checkSeed } from './check-seed.ts';
import { makeHistory, timeOf } from './history.ts';
import { pushHistory } from './push-history.ts';
import { readRepoKey } from './repo-key.ts';
import type { RepoSeed, Seed } from './seed.ts';
import { seeding } from './seed-error.ts';
import { plantTags, type ResourceTagsSeed } from './tag-seed.ts';

/** The service that receives a seed. */
export interface Ground {
  readonly account: string;
  /**
   * A service that only seeds use, with {@link Ground.time} as its clock. Seeds therefore do not count towards the
   * rates of requests.
   */
  readonly hosting: Hosting;
  readonly tagging: Tagging | undefined;
  readonly settings: Pick<ServiceSettings, 'zones'>;
  readonly storage: RepoStorage;
  readonly engine: GitEngine;
  readonly codec: Codec;
  readonly tags: TagStores;
  readonly time: SeedTime;
}

/** The clock for the creation times in a seed. */
export interface SeedTime {
  /** Milliseconds since 1970. */
  now(): number;
  set(at: number): void;
}

/**
 * Adds a seed to the content.
 *
 * @param now milliseconds since 1970: entries without a time are created at or before it.
 * @throws {SeedError} for a misspelt member or content that the service refuses; the content before it stays.
 */
export async function plant(ground: Ground, seed: Seed, now: number): Promise<void> {
  checkSeed(seed);
  const { hosting, account, time } = ground;
  const repos = Object.entries(seed.repos ?? {});
  const before = Math.max(0, now - repos.length);
  time.set(before);
  for (const [number, namespace] of (seed.namespaces ?? []).entries()) {
    await seeding(`namespaces[${number}]`, () => told(hosting.namespaces.create(account, { namespace })));
  }
  for (const [number, [key, repo]] of repos.entries()) {
    const place = `repos[${JSON.stringify(key)}]`;
    const { createdAt } = repo;
    const at = createdAt === undefined ? Math.min(now, before + number + 1) : timeOf(`${place}.createdAt`, createdAt);
    time.set(at);
    await seeding(place, () => plantRepo(ground, place, key, repo, at));
  }
  time.set(now);
  for (const [number, tags] of (seed.tags ?? []).entries()) {
    const place = `tags[${number}]`;
    const resource = 'repo' in tags ? await ofRepo(ground, place, tags.repo, tags.tags) : tags;
    const hasZone = (zone: string): boolean => ground.settings.zones[zone] === account;
    await plantTags(ground.tagging as Tagging, account, place, resource, hasZone);
  }
}

async function plantRepo(ground: Ground, place: string, key: string, seed: RepoSeed, at: number): Promise<void> {
  const { hosting, account, storage } = ground;
  const { namespace, name } = readRepoKey(key);
  const history = makeHistory(ground.codec, place, seed, at);
  const body = {
    name,
    ...(seed.description !== undefined && { description: seed.description }),
    ...(seed.defaultBranch !== undefined && { default_branch: seed.defaultBranch }),
    ...(seed.readOnly !== undefined && { read_only: seed.readOnly }),
  };
  await told(hosting.repos.create(account, namespace, body));
  if (history.refs.size === 0) return;
  const { id, jurisdiction } = await hosting.repos.find(account, namespace, name);
  const repo = storage.repo(account, id, jurisdiction);
  await pushHistory(ground, { account, id, repo }, place, history);
}

async function ofRepo(
  { hosting, account }: Ground,
  place: string,
  key: string,
  tags: Readonly<Record<string, string>>,
): Promise<ResourceTagsSeed> {
  const { namespace, name } = readRepoKey(key);
  const { id } = await seeding(place, () => told(hosting.repos.find(account, namespace, name)));
  return { type: 'repository', id, tags };
}
