/** Compares the reads of a binding on a pushed repository with those of REST. */

import { createHash } from 'node:crypto';
import { createBinding, type Repo } from '@packhouse/binding';
import {
  blob,
  change,
  commit,
  made,
  pack,
  tag,
  tree,
  type MadeObject,
} from '@packhouse/conformance/tools/made-objects';
import { push, set } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestHost, type TestHost } from '../support/test-host.ts';

const mebi = 1_048_576;
const noise = Buffer.concat(
  Array.from({ length: (3 * mebi) / 64 }, (_, i) => createHash('sha512').update(String(i)).digest()),
);
const text = blob('plan\n');
const large = blob(noise);
const zeros = blob(Buffer.alloc(2 * mebi));
const link = blob('docs/guide.md');
const page = blob('<script>alert(1)</script>');
const docs = tree({ 'guide.md': blob('Ä guide\n') });
const entry = (mode: string, name: string, { oid }: { readonly oid: string }): Buffer =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]);
const root = made(
  'tree',
  Buffer.concat([
    entry('40000', 'docs', docs),
    entry('100644', 'empty', blob('')),
    entry('100644', 'large.bin', large),
    entry('120000', 'link', link),
    entry('100644', 'logo.PNG', text),
    entry('100644', 'page.html', page),
    entry('100644', 'plan.md', text),
    entry('100755', 'run', text),
    entry('160000', 'sub', { oid: '12'.repeat(20) }),
    entry('100644', 'zeros', zeros),
  ]),
);
const first = change('first');
const second = commit('second, Ünïcode ✓\n\nwith a body\n', root, [first]);
const third = commit('third', root, [second, first]);
const named = tag('v1', second);
const objects: readonly MadeObject[] = [
  ...first.all,
  second,
  third,
  named,
  root,
  docs,
  text,
  large,
  zeros,
  link,
  page,
  blob(''),
  blob('Ä guide\n'),
];

let test: TestHost;
let repo: Repo;

beforeAll(async () => {
  test = await openTestHost();
  const { remote, token } = await test.repos.create('files');
  const report = await push(
    { remote, token, fetch: test.fetch },
    [set('refs/heads/main', third), set('refs/heads/odd/branch', first), set('refs/tags/v1', named)],
    pack(...objects),
  );
  expect(report.slice(0, 2)).toEqual(['unpack ok', 'ok refs/heads/main']);
  repo = await test.repos.get('files');
});

afterAll(async () => {
  expect(test.failures).toEqual([]);
  await test.close();
});

const read = async (found: Blob | null): Promise<Buffer | null> =>
  found === null ? null : Buffer.from(await found.arrayBuffer());

describe('a handle', () => {
  it('BIND-066, BIND-067, BIND-068: reads every object as REST does, and no object of another type', async () => {
    for (const { oid, kind, body } of objects) {
      const shown = await repo.readBlob(oid);
      expect([oid, shown?.type, (await read(shown))?.equals(body)]).toEqual(
        kind === 'blob' ? [oid, '', true] : [oid, undefined, undefined],
      );
      for (const [wanted, method] of [
        ['tree', repo.readTree],
        ['commit', repo.readCommit],
      ] as const) {
        if (kind !== wanted) {
          await expect(method(oid)).rejects.toMatchObject({
            code: 'INTERNAL_ERROR',
            message: 'An internal error occurred.',
          });
          continue;
        }
        const { result } = await test.rest('GET', `/repos/files/${wanted}/${oid}`);
        expect(await method(oid)).toEqual(result);
      }
    }
    for (const method of [repo.readBlob, repo.readTree, repo.readCommit]) {
      expect(await method('0'.repeat(40))).toBeNull();
      // A gitlink names what is elsewhere.
      expect(await method('12'.repeat(20))).toBeNull();
    }
  });

  it("BIND-015, BIND-066: answers what can be cloned, and is the caller's", async () => {
    const copy = structuredClone(await repo.readBlob(large.oid));
    expect((await read(copy))?.equals(noise)).toBe(true);
    for (const value of [() => repo.readTree(root.oid), () => repo.readCommit(second.oid), () => repo.log()]) {
      const [one, other] = [(await value()) as object, await value()];
      expect(structuredClone(one)).toEqual(other);
      for (const member of [one, ...Object.values(one)]) {
        if (typeof member === 'object' && member !== null)
          for (const key of Object.keys(member)) Reflect.set(member, key, 0);
      }
      expect(await value()).toEqual(other);
    }
  });

  it.each<[string, string, string | null]>([
    ['main', 'plan.md', 'text/plain;charset=utf-8'],
    ['HEAD', '/docs//./guide.md', 'text/plain;charset=utf-8'],
    ['v1', 'page.html', 'text/plain;charset=utf-8'],
    ['refs/tags/v1', 'logo.PNG', 'image/png'],
    [second.oid, 'large.bin', 'application/octet-stream'],
    ['main', 'zeros', 'application/octet-stream'],
    ['main', 'empty', 'text/plain;charset=utf-8'],
    ['main', 'run', 'text/plain;charset=utf-8'],
    ['heads/main', 'link', 'text/plain;charset=utf-8'],
    ['odd/branch', 'file', 'text/plain;charset=utf-8'],
    ['main', 'docs', null],
    ['main', 'sub', null],
    ['main', 'none', null],
    ['main', '..', null],
    ['main', '/', null],
    ['none', 'plan.md', null],
    [root.oid, 'plan.md', null],
  ])('BIND-070, BIND-071: the file of %s at %s is %s', async (ref, path, type) => {
    const file = await repo.readFile({ ref, path });
    expect(file?.type ?? null).toBe(type);
    const query = new URLSearchParams({ ref, path });
    const { status, bytes } = await test.rest('GET', `/repos/files/file?${query}`);
    expect(status).toBe(type === null ? 404 : 200);
    if (type !== null) expect((await read(file))?.equals(bytes)).toBe(true);
  });

  it.each([
    {},
    { limit: 1 },
    { ref: 'v1' },
    { offset: 1 },
    { ref: 'odd/branch', limit: 5 },
    { offset: 9 },
    { ref: 'x' },
  ])('BIND-072: the log of %j is that of REST', async (opts) => {
    const query = new URLSearchParams(Object.entries(opts).map(([name, value]) => [name, String(value)]));
    const { result } = await test.rest('GET', `/repos/files/log?${query}`);
    // What does not resolve is an error of REST alone (REPO-220).
    if (opts.ref === 'x') expect(result).toBeNull();
    expect(await repo.log(opts)).toEqual(opts.ref === 'x' ? [] : result);
  });

  it('BIND-061, BIND-014: info says what REST says, and sees the push', async () => {
    const { result } = await test.rest('GET', '/repos/files');
    const camel = Object.entries(result as object).map(([name, value]) => [
      name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]);
    const info = await repo.info();
    expect(info).toEqual(Object.fromEntries(camel));
    expect(info.lastPushAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('BIND-074: refuses a blob, tree or log above the bound, and nothing below it', async () => {
    const { hosting, account } = test.host;
    const bounded = createBinding({ hosting, account, namespace: 'default', valueMax: 3 * mebi - 1 });
    using handle = await bounded.get('files');
    const refused = { code: 'MEMORY_LIMIT', numericCode: 10402 };
    await expect(handle.readBlob(large.oid)).rejects.toMatchObject(refused);
    await expect(handle.readFile({ ref: 'main', path: 'large.bin' })).rejects.toMatchObject(refused);
    expect((await handle.readBlob(zeros.oid))?.size).toBe(2 * mebi);
    using exact = await createBinding({ hosting, account, namespace: 'default', valueMax: 3 * mebi }).get('files');
    expect((await exact.readBlob(large.oid))?.size).toBe(3 * mebi);
    using tiny = await createBinding({ hosting, account, namespace: 'default', valueMax: 700 }).get('files');
    await expect(tiny.readTree(root.oid)).rejects.toMatchObject(refused);
    await expect(tiny.log()).rejects.toMatchObject(refused);
    expect(await tiny.readTree(docs.oid)).toHaveLength(1);
    expect(await tiny.log({ limit: 1 })).toHaveLength(1);
  });

  it('BIND-064, BIND-024: a token of the binding opens Git until it is revoked', async () => {
    const { plaintext } = await repo.createToken('read');
    const { remote } = await repo.info();
    const refs = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${plaintext}` };
      return (await test.fetch(`${remote}/info/refs?service=git-upload-pack`, { headers })).status;
    };
    expect([await refs(), await repo.revokeToken(plaintext), await refs()]).toEqual([200, true, 403]);
  });
});
