import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Catalog, Hosting, HostedRepoState } from '@packhouse/hosting';
import { expect, it } from 'vitest';
import type { Environment } from '../../src/environment/environment.ts';
import { ownHosting } from '../../src/service/own-hosting.ts';
import { workerStorage } from '../../src/service/storage.ts';

const environment = env as unknown as Environment;

/** A call of a port at which the Worker and the objects die: before it reaches its object, or after its change. */
type Death = readonly [method: keyof Catalog | keyof HostedRepoState | 'rename', when: 'before' | 'after'];

/** Makes the service of one isolate. With `death`, it dies at that call. */
function isolate(death?: Death): Hosting {
  const storage = workerStorage(environment, 2 ** 40);
  const dying = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function' || name !== death?.[0]) return method;
        return async (...given: unknown[]) => {
          if (death[1] === 'after') await method.apply(target, given);
          await abortAllDurableObjects();
          throw new Error('the isolate died');
        };
      },
    });
  const { tags } = storage;
  return ownHosting(environment, {
    catalog: (account) => dying(storage.catalog(account)),
    tags: tags && ((account) => dying(tags(account))),
    repos: {
      ...storage.repos,
      repo(account, id, jurisdiction) {
        const repo = storage.repos.repo(account, id, jurisdiction);
        return { ...repo, state: dying(repo.state) };
      },
    },
  });
}

/** Lets the alarm of an account do now what it would do in time. */
async function alarm(account: string): Promise<void> {
  const object = environment.CATALOGS.getByName(account) as unknown as DurableObjectStub;
  await runInDurableObject(object, (_, { storage }) => void storage.sql.exec('UPDATE due SET at = 0'));
  await runDurableObjectAlarm(object);
}

const deaths: readonly Death[] = [
  ['updateRepo', 'before'],
  ['updateRepo', 'after'],
  ['updateHead', 'before'],
  ['updateHead', 'after'],
  ['rename', 'after'],
  ['settleRepo', 'before'],
  ['settleRepo', 'after'],
];

it.each(deaths)(
  'REPO-238: workerd: a rename that dies in %s, %s it, leaves one name, and the alarm finishes',
  async (...death) => {
    const account = crypto.randomUUID();
    const made = await isolate().repos.create(account, 'nn', { name: 'notes' });
    const secret = made.token.split('?')[0] as string;
    const other = isolate();
    const open = (repo: string, hosting = other) =>
      hosting.openForGit({ account, namespace: 'nn', repo, secret, service: 'git-receive-pack' });
    await open('notes');
    const change = { name: 'plans', default_branch: 'trunk' };
    await isolate(death)
      .repos.update(account, 'nn', 'notes', change)
      .catch(() => undefined);
    const isDecided = death[0] !== 'updateRepo' || death[1] === 'after';
    const [now, gone] = isDecided ? ['plans', 'notes'] : ['notes', 'plans'];
    // Only one name leads to the repo, and another repo may take the other one.
    expect((await isolate().repos.find(account, 'nn', now)).id).toBe(made.id);
    await expect(isolate().repos.find(account, 'nn', gone)).rejects.toThrow('Repository not found');
    expect((await open(now)).repo.id).toBe(made.id);
    await alarm(account);
    const { head } = await open(now);
    expect([head.name, head.defaultBranch]).toEqual(isDecided ? ['plans', 'trunk'] : ['notes', 'main']);
    // This isolate remembers the id of the old name.
    await expect(open(gone)).rejects.toMatchObject({ reason: 'invalid token' });
    expect(await isolate().repos.update(account, 'nn', now, change)).toMatchObject({ id: made.id, name: 'plans' });
    expect((await open('plans', isolate())).head.name).toBe('plans');
  },
);
