import type { Tracing } from '@packhouse/base';
import type { HostedRepo, RepoStorage } from '@packhouse/hosting';

/** Wraps the storage of repositories, so that each commit of a change has a span. */
export function tracedStorage(storage: RepoStorage, tracing: Tracing): RepoStorage {
  return replaced(storage, 'repo', (repo) => (...place) => {
    const opened = repo(...place);
    return replaced<HostedRepo, 'state'>(opened, 'state', (state) =>
      replaced(state, 'commit', (commit) => async (change) => {
        const span = tracing.child('storage.commit');
        try {
          const outcome = await span.run(() => commit(change));
          span.end();
          return outcome;
        } catch (error) {
          span.end({ failed: true });
          throw error;
        }
      }),
    );
  });
}

/** Returns an object that behaves as `target`, with another value of one member. Its methods have their own `this`. */
function replaced<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  change: (value: Target[Name]) => Target[Name],
): Target {
  const bound = (key: string | symbol): unknown => {
    const value: unknown = Reflect.get(target, key);
    return typeof value === 'function' ? value.bind(target) : value;
  };
  const other = change(bound(name as string) as Target[Name]);
  return new Proxy(target, { get: (_, key) => (key === name ? other : bound(key)) });
}
