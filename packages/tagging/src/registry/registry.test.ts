import { describe, expect, it } from 'vitest';
import type { ResourceDirectory } from '../model/resource-directory.ts';
import { SettingsError } from '@packhouse/base';
import type { ResourceType } from '../model/resource-types.ts';
import { defaultResourceTypes } from './default-resource-types.ts';
import { createRegistry } from './registry.ts';
import { requireType } from './require-type.ts';

const worker: ResourceType = { type: 'worker', level: 'account' };
const changed = (...changes: Parameters<typeof createRegistry>[1][number]['changes'][]) =>
  createRegistry(
    [worker, { type: 'zone', level: 'zone' }],
    changes.map((one) => ({ name: 'resource_types', changes: one })),
  );

describe('the registry of resource types', () => {
  it('TAG-126, TAG-128: has 30 types of accounts and 11 of zones', () => {
    const names = (level: string): string[] =>
      defaultResourceTypes.flatMap((type) => (type.level === level ? [type.type] : []));
    expect([names('account').length, names('zone').length]).toEqual([30, 11]);
    expect(createRegistry(defaultResourceTypes, []).size).toBe(41);
    expect(defaultResourceTypes.filter(({ parent }) => parent !== undefined)).toEqual([
      { type: 'worker_version', level: 'account', parent: 'worker_id' },
      { type: 'access_application_policy', level: 'zone', parent: 'access_application_id' },
    ]);
  });

  it('TAG-125: adds and removes types, and can replace a removed one', () => {
    const bucket: ResourceType = { type: 'bucket', level: 'zone', parent: 'region' };
    const registry = changed(
      { add: [bucket], remove: ['zone'] },
      { remove: ['bucket', 'worker'], add: [{ ...worker, parent: 'group' }] },
    );
    expect([...registry.values()]).toEqual([{ ...worker, parent: 'group' }]);
  });

  it.each<[string, Parameters<typeof changed>[0]]>([
    ['must not remove "worke", which is no resource type', { remove: ['worke'] }],
    ['must not remove "zone", which is no resource type', { remove: ['zone', 'zone'] }],
    [
      'must not add the resource type "worker": it is there already (remove it to replace it) (TAG-125)',
      { add: [worker] },
    ],
    [
      'must not add the resource type "x": it is there already (remove it to replace it) (TAG-125)',
      {
        add: [
          { type: 'x', level: 'zone' },
          { type: 'x', level: 'account' },
        ],
      },
    ],
    [
      'must not add the resource type "X": it must be named with 1 to 64 of a-z 0-9 _ (TAG-125)',
      { add: [{ type: 'X', level: 'zone' }] },
    ],
    [
      'must not add the resource type "undefined": it must be named with 1 to 64 of a-z 0-9 _ (TAG-125)',
      { add: [{ level: 'zone' } as ResourceType] },
    ],
    [
      'must not add the resource type "x": it must have a parent that is named with 1 to 64 of a-z 0-9 _ (TAG-125)',
      { add: [{ type: 'x', level: 'zone', parent: '' }] },
    ],
    [
      'must not add the resource type "x": it must not have the parent "etag", which is the name of another member (TAG-125)',
      { add: [{ type: 'x', level: 'zone', parent: 'etag' }] },
    ],
    [
      'must not add the resource type "x": it must have the level "account" or "zone" (TAG-125)',
      { add: [{ type: 'x', level: 'world' as 'zone' }] },
    ],
    [
      'must not add the resource type "undefined": it must be named with 1 to 64 of a-z 0-9 _ (TAG-125)',
      { add: [null as unknown as ResourceType] },
    ],
    [
      'must not add the resource type "x": it must not have the member "directori", but type, level, parent and directory only (TAG-125)',
      { add: [{ type: 'x', level: 'zone', directori: { find: async () => undefined } } as ResourceType] },
    ],
    [
      'must not add the resource type "x": it must have a directory with a method find, or none (TAG-125)',
      { add: [{ type: 'x', level: 'zone', directory: null as unknown as ResourceDirectory }] },
    ],
  ])('TAG-125: refuses: %s', (message, changes) => {
    expect(() => changed(changes)).toThrow(SettingsError);
    expect(() => changed(changes)).toThrow(`resource_types ${message}`);
  });

  it('TAG-129: finds a type only by its name and level', () => {
    const registry = changed({});
    expect(requireType(registry, 'worker', 'account', '/type')).toBe(worker);
    expect(requireType(registry, 'worker', undefined, '/type')).toBe(worker);
    for (const name of ['Worker', ' worker', 'worker_version', '', 'constructor', '__proto__']) {
      expect(() => requireType(registry, name, undefined, '/type')).toThrow(
        expect.objectContaining({ code: 1006, message: 'Invalid resource type', pointer: '/type' }),
      );
    }
    expect(() => requireType(registry, 'worker', 'zone', '/type')).toThrow('Invalid resource type');
  });
});
