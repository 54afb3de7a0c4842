import { RpcTarget, WorkerEntrypoint } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { Repo } from '@packhouse/binding';
import { BoundNamespace } from '../../src/binding/bound-namespace.ts';
import { RepoTarget } from '../../src/binding/repo-target.ts';
import { ReposBinding } from '../../src/binding/repos-binding.ts';
import type { Environment } from '../../src/environment/environment.ts';

const namesOf = (prototype: object): readonly string[] =>
  Reflect.ownKeys(prototype)
    .map(String)
    .filter((name) => name !== 'constructor')
    .sort();

/** RPC reaches what a prototype has, and nothing of an instance's own. */
it('BIND-023: an entry point and a handle have the methods of the binding, and nothing else', () => {
  expect(namesOf(ReposBinding.prototype)).toEqual(['create', 'delete', 'get', 'import', 'list']);
  expect(Object.getPrototypeOf(ReposBinding.prototype)).toBe(WorkerEntrypoint.prototype);
  expect(namesOf(RepoTarget.prototype)).toEqual([
    'Symbol(Symbol.dispose)',
    'archive',
    'cherryPick',
    'commit',
    'compare',
    'createToken',
    'fork',
    'info',
    'listRefs',
    'listTokens',
    'listTree',
    'log',
    'merge',
    'readBlob',
    'readCommit',
    'readFile',
    'readFiles',
    'readTree',
    'revert',
    'revokeToken',
    'search',
    'update',
    'updateRefs',
    'writeBlob',
  ]);
  expect(Object.getPrototypeOf(RepoTarget.prototype)).toBe(RpcTarget.prototype);
  const bound = new BoundNamespace({} as Environment, { account: 'local', namespace: 'default' });
  expect(Reflect.ownKeys(new RepoTarget(bound, {} as Repo))).toEqual([]);
});
