import { describe, expect, it } from 'vitest';
import { defaultResourceTypes } from '../registry/default-resource-types.ts';
import { createRegistry } from '../registry/registry.ts';
import { inAccount, inZone } from '../service/tagging.test.util.ts';
import { readResourceQuery } from './resource-query.ts';

const registry = createRegistry(defaultResourceTypes, []);
const read = (query: string, scope = inAccount) => readResourceQuery(registry, scope, query);
const refusal = (query: string, scope = inAccount): unknown => {
  try {
    return read(query, scope);
  } catch (error) {
    const { code, pointer, message } = error as { code: number; pointer?: string; message: string };
    return [code, pointer, message];
  }
};
const bad = (name: string) => [10100, `/${name}`, `Invalid query parameter: ${name}`];
const missing = (pointer?: string) => [1003, pointer, 'resource_type and resource_id are required'];
const wrongType = [1006, '/resource_type', 'Invalid resource type'];

describe('the resource that a query names', () => {
  it('TAG-001, TAG-004: has type and id, the zone of the path, and a parent if its type has one', () => {
    expect(read('?resource_id=a+b&resource_type=worker&x=1')).toEqual({
      type: 'worker',
      zone: null,
      parent: null,
      id: 'a b',
    });
    expect(read('?resource_type=worker_version&resource_id=v&worker_id=w')).toEqual({
      type: 'worker_version',
      zone: null,
      parent: 'w',
      id: 'v',
    });
    const policy = 'resource_type=access_application_policy&resource_id=p&access_application_id=%C3%A9';
    expect(read(`?${policy}`, inZone)).toEqual({
      type: 'access_application_policy',
      zone: 'z1',
      parent: 'é',
      id: 'p',
    });
  });

  it('TAG-013: ignores the parents of other types', () => {
    expect(read('?resource_type=worker&resource_id=v&worker_id=&worker_id=%FF').parent).toBeNull();
  });

  it('TAG-155: first requires type and id that are not empty', () => {
    expect(refusal('')).toEqual(missing());
    expect(refusal('?resource_type=&resource_id=')).toEqual(missing());
    expect(refusal('?resource_type=nonsense')).toEqual(missing('/resource_id'));
    expect(refusal('?resource_id=%FF&resource_id=a')).toEqual(missing('/resource_type'));
    expect(refusal('?Resource_Type=worker&resource_id=a')).toEqual(missing('/resource_type'));
  });

  it('TAG-151, TAG-166: then refuses repeats', () => {
    expect(refusal('?resource_type=nonsense&resource_type=nonsense&resource_id=a')).toEqual(bad('resource_type'));
    expect(refusal('?resource_type=nonsense&resource_id=a&resource_id=a')).toEqual(bad('resource_id'));
    const policy = 'resource_type=access_application_policy&resource_id=p';
    expect(refusal(`?${policy}&access_application_id=a&access_application_id=b`)).toEqual(bad('access_application_id'));
  });

  it('TAG-129, TAG-151, TAG-180: then checks type and level', () => {
    const broken = `&resource_id=${'x'.repeat(1025)}`;
    for (const type of ['nonsense', 'Worker', 'dns_record', '__proto__', 'access_application_policy']) {
      expect(refusal(`?resource_type=${type}${broken}`)).toEqual(wrongType);
    }
    expect(refusal(`?resource_type=worker${broken}`, inZone)).toEqual(wrongType);
    expect(refusal(`?resource_type=%FF${broken}`)).toEqual(bad('resource_type'));
  });

  it('TAG-134, TAG-140, TAG-151, TAG-182: then checks the id, then the parent', () => {
    expect(refusal(`?resource_type=worker&resource_id=${'x'.repeat(1025)}`)).toEqual(bad('resource_id'));
    expect(refusal('?resource_type=worker&resource_id=a%00')).toEqual(bad('resource_id'));
    expect(read(`?resource_type=worker&resource_id=${'%F0%90%90%80'.repeat(1024)}`).id).toHaveLength(2048);
    const version = '?resource_type=worker_version&resource_id=';
    expect(refusal(`${version}%FF`)).toEqual(bad('resource_id'));
    expect(refusal(`${version}a&worker_id=%FF`)).toEqual(bad('worker_id'));
  });

  it('TAG-179: requires a parent that is not empty', () => {
    expect(refusal('?resource_type=worker_version&resource_id=a')).toEqual(bad('worker_id'));
    expect(refusal('?resource_type=worker_version&resource_id=a&worker_id=')).toEqual(bad('worker_id'));
  });
});
