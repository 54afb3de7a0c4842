import { cloudflare, neutral } from '@packhouse/hosting';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { testService } from '../test-service.test.util.ts';
import { testTags } from './test-tags.test.util.ts';

interface Document {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Shape>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

interface Documented {
  readonly operationId: string;
  readonly security: unknown;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Shape } } };
}

interface Shape {
  readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
  readonly required: readonly string[];
}

describe.each([neutral, cloudflare])('the OpenAPI document of a service with tagging, $name', (dialect) => {
  const read = async (settings: Parameters<typeof testTags>[0] = {}): Promise<Document> =>
    (await (await testTags({ dialect, ...settings }).send('/openapi.json')).json()) as Document;

  it('is valid OpenAPI 3.1, with and without tagging', async () => {
    for (const send of [testTags({ dialect }).send, testService({ dialect }).send]) {
      const validator = new Validator();
      const document = (await (await send('/openapi.json')).json()) as Record<string, unknown>;
      expect(await validator.validate(document)).toEqual({ valid: true });
      expect(validator.version).toBe('3.1');
    }
  });

  it('TAG-001 to TAG-010: has the ten operations beside those of REST, each with a success, failures and a credential', async () => {
    const { paths, components, info } = await read();
    const rest = Object.keys(((await (await testService({ dialect }).send('/openapi.json')).json()) as Document).paths);
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(rest));
    const added = Object.entries(paths)
      .filter(([path]) => !rest.includes(path))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => {
          expect(operation.security).toEqual([{ token: [] }]);
          expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '403', '404', '429', '500']));
          return `${method} ${path.replace(dialect.basePath, '')} ${Object.keys(operation.responses)[0]}`;
        }),
      );
    expect(added.toSorted()).toEqual([
      'delete /accounts/{account_id}/tags 204',
      'delete /zones/{zone_id}/tags 204',
      'get /accounts/{account_id}/tags 200',
      'get /accounts/{account_id}/tags/keys 200',
      'get /accounts/{account_id}/tags/resources 200',
      'get /accounts/{account_id}/tags/summary 200',
      'get /accounts/{account_id}/tags/values/{tag_key} 200',
      'get /zones/{zone_id}/tags 200',
      'put /accounts/{account_id}/tags 200',
      'put /zones/{zone_id}/tags 200',
    ]);
    expect(components.securitySchemes).toHaveProperty('token');
    expect(info.title).toBe('Repositories and tags');
  });

  it('TAG-126, TAG-128: names the types of each level, with the members that name their parents', async () => {
    const { paths } = await read({
      settings: {
        resource_types: { add: [{ type: 'printer', level: 'account', parent: 'office' }], remove: ['queue'] },
      },
    });
    const body = (place: string): Shape | undefined =>
      paths[`${dialect.basePath}/${place}/tags`]?.['put']?.requestBody?.content['application/json'].schema;
    const [account, zone] = [body('accounts/{account_id}'), body('zones/{zone_id}')];
    expect(account?.properties['resource_type']?.enum).toEqual(
      expect.arrayContaining(['worker', 'repository', 'printer']),
    );
    expect(account?.properties['resource_type']?.enum).not.toEqual(expect.arrayContaining(['queue']));
    expect(Object.keys(account?.properties ?? {})).toEqual([
      'resource_type',
      'resource_id',
      'office',
      'worker_id',
      'tags',
    ]);
    expect(zone?.properties['resource_type']?.enum).toContain('dns_record');
    expect(zone?.properties['resource_type']?.enum).not.toContain('worker');
    expect(Object.keys(zone?.properties ?? {})).toEqual([
      'resource_type',
      'resource_id',
      'access_application_id',
      'tags',
    ]);
  });

  it('TAG-055 to TAG-059: describes the reply for a resource without tags', async () => {
    const told = async (mode: '500' | '404' | 'empty'): Promise<unknown> => {
      const { paths } = await read({ settings: { tags_not_found: mode } });
      return ['accounts/{account_id}', 'zones/{zone_id}'].map((place) =>
        Object.entries(paths[`${dialect.basePath}/${place}/tags`]?.['get']?.responses ?? {})
          .filter(([, { description }]) => description.includes('10200'))
          .map(([status]) => status),
      );
    };
    expect(await told('500')).toEqual([['500'], ['500']]);
    expect(await told('404')).toEqual([['404'], ['404']]);
    expect(await told('empty')).toEqual([[], ['404']]);
  });

  it('TAG-027 to TAG-035: lists every member of the replies', async () => {
    const { components } = await read();
    const { ask } = testTags({ dialect });
    const { TaggedResource: shape } = components.schemas;
    for (const [path, resource] of [
      ['/tags', { resource_type: 'worker_version', resource_id: 'v1', worker_id: 'w1' }],
      ['/zones/z1/tags', { resource_type: 'access_application_policy', resource_id: 'p1', access_application_id: 'x' }],
    ] as const) {
      const { result } = (await ask('PUT', path, { body: { ...resource, tags: { a: '' } } })).json;
      expect(Object.keys(shape?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(result)));
      expect(Object.keys(result)).toEqual(expect.arrayContaining([...(shape?.required ?? [])]));
    }
  });

  it('lists every failure in each operation that can answer with it', async () => {
    const { paths } = await read();
    const { ask } = testTags({ dialect });
    const ask1 = async (method: string, path: string, options = {}): Promise<void> => {
      const { status, json } = await ask(method, path, options);
      const [error] = json.errors;
      const template = path
        .split('?')[0]
        ?.replace(/^\/zones\/z1/, '/zones/{zone_id}')
        .replace(/^\/tags/, '/accounts/{account_id}/tags')
        .replace(/values\/.*$/, 'values/{tag_key}');
      const { responses } = paths[`${dialect.basePath}${template}`]?.[method.toLowerCase()] ?? {};
      expect([path, responses?.[status]?.description.split('; ')]).toEqual([
        path,
        expect.arrayContaining([`${error?.code} ${error?.message}`]),
      ]);
    };
    const worker = { resource_type: 'worker', resource_id: 'w1' };
    await ask1('GET', '/tags');
    await ask1('GET', '/tags?resource_type=Worker&resource_id=x');
    await ask1('PUT', '/tags', { body: { ...worker, tags: { ' ': '' } } });
    await ask1('PUT', '/tags', { body: { ...worker, tags: { ['k'.repeat(257)]: '' } } });
    await ask1('PUT', '/tags', { body: { ...worker, tags: { k: 'x'.repeat(1025) } } });
    await ask1('PUT', '/tags', { body: {} });
    await ask1('PUT', '/tags', { body: { ...worker, tags: {} }, headers: { 'if-match': '*' } });
    await ask1('PUT', '/tags', { body: worker, headers: { 'content-type': 'text/plain' } });
    await ask1('DELETE', '/zones/z1/tags', { body: {} });
    await ask1('DELETE', '/zones/z1/tags', { body: worker });
    await ask1('GET', `/tags/resources?${'tag=a&'.repeat(21)}`);
    await ask1('GET', '/tags/resources?tag=');
    await ask1('GET', `/tags/resources?tag=a=${'b,'.repeat(10)}b`);
    await ask1('GET', '/tags/resources?type=x');
    await ask1('GET', '/tags/resources?cursor=x');
    await ask1('GET', '/tags/values/a%20b');
    await ask1('GET', '/tags/keys', { token: null });
    await ask1('GET', '/tags/summary', { token: 'nothing' });
  });
});

describe('the page of operations', () => {
  it('shows tagging with its errors only if the service has tagging', async () => {
    const page = await (await testTags().send('/docs')).text();
    for (const id of ['setAccountTags', 'getZoneTags', 'listTaggedResources', 'listTagValues']) {
      expect(page).toContain(`<section id="${id}">`);
    }
    expect(page).toContain('<h2>Tags</h2>');
    expect(page).toContain(
      '<td><code>1014</code></td><td>400</td><td><code>invalid_tag_key</code></td><td>Invalid tag key</td>',
    );
    expect(page).toContain('tags/resources?tag=environment=production');
    expect(page).not.toMatch(/<script|undefined|\[object/);
    expect(await (await testService({ dialect: neutral }).send('/docs')).text()).not.toMatch(/Invalid tag key|Tags/);
  });
});
