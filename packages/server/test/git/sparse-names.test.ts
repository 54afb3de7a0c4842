/**
 * GIT-083 and GIT-085 of docs/specification/git.md: the names that `sparse:oid` accepts while some refs are hidden, and
 * the reply to invalid filters.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askFor, packIn, versions } from '@packhouse/conformance/tools/fetch-request';
import { blob, commit, pack, tag, tree } from '@packhouse/conformance/tools/made-objects';
import { readPack } from '@packhouse/conformance/tools/pack-contents';
import { fetchBody, linesOf, post, push, set } from '@packhouse/conformance/tools/wire-client';
import { startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

const patterns = blob('/kept\n');
const kept = blob('kept\n');
const dropped = blob('dropped\n');
const root = tree({ dropped, kept, patterns: tree({ 'of mine': patterns }) });
const main = commit('main', root);
const annotated = tag('annotated', main);
/** Two blobs of patterns that together are more than a filter may have. */
const large = ['a', 'b'].map((letter) => blob(`${letter.repeat(40)}\n`.repeat(1000)));
const larger = blob(`${'c'.repeat(40)}\n`.repeat(1600));
const secret = blob('/dropped\n');
const hidden = commit('hidden', tree({ secret }));

let server: TestServer;
let repo: TestRepo;

beforeAll(async () => {
  server = await startTestServer();
  repo = await server.createRepo('sparse');
  const sizes = tree({ a: large[0] as typeof kept, b: large[1] as typeof kept, c: larger });
  const refs = {
    'refs/heads/main': main,
    'refs/tags/annotated': annotated,
    'refs/heads/sizes': commit('sizes', sizes),
    'refs/odd/patterns': patterns,
    'refs/odd/tree': root,
    'refs/internal/hidden': hidden,
  };
  const inside = [
    patterns,
    kept,
    dropped,
    root,
    tree({ 'of mine': patterns }),
    main,
    annotated,
    ...large,
    larger,
    sizes,
  ];
  const objects = [...inside, refs['refs/heads/sizes'], secret, tree({ secret }), hidden];
  const commands = Object.entries(refs).map(([name, value]) => set(name, value));
  expect((await push(repo, commands, pack(...objects)))[0]).toBe('unpack ok');
  await server.restart({ settings: { hidden_refs: ['refs/internal'] } });
});
afterAll(async () => {
  await server.close();
  expect(server.failures).toEqual([]);
});

async function sentWith(filter: string, version: 0 | 1 | 2 = 2): Promise<string[] | string> {
  const reply = await askFor(repo, version, { wants: [main.oid], filter });
  return reply.error ?? [...readPack(packIn(reply)).objects.keys()];
}

describe('the blob with the patterns', () => {
  it.each([
    patterns.oid,
    'refs/odd/patterns',
    'odd/patterns',
    'HEAD:patterns/of mine',
    'main:patterns/of mine',
    'heads/main:patterns/of mine',
    'annotated:patterns/of mine',
    'refs/odd/tree:patterns/of mine',
    `${main.oid}:patterns/of mine`,
    `${annotated.oid}:patterns/of mine`,
    `${root.oid}:patterns/of mine`,
  ])('GIT-083: is found by %s', async (name) => {
    const sent = await sentWith(`sparse:oid=${name}`);
    expect(sent).toContain(kept.oid);
    expect(sent).not.toContain(dropped.oid);
    const encoded = encodeURIComponent(name);
    expect(await sentWith(`combine:blob:limit=1k+sparse:oid=${encoded}`)).toEqual(sent);
  });

  it.each([
    'main',
    root.oid,
    main.oid,
    'main:',
    'main:patterns',
    'main:patterns/',
    'main:/patterns/of mine',
    'main:patterns/of mine/',
    'main:patterns/of mine/more',
    'main:patterns/of',
    'main:nothing',
    'nothing:patterns',
    'MAIN:patterns/of mine',
    ':patterns/of mine',
    '0'.repeat(40),
    `${'0'.repeat(40)}:patterns`,
    `${patterns.oid}:`,
    patterns.oid.toUpperCase(),
    patterns.oid.slice(0, 20),
    'main^{tree}:patterns/of mine',
  ])('GIT-083, GIT-085: is not found by %s', async (name) => {
    expect(await sentWith(`sparse:oid=${name}`)).toBe(`invalid filter-spec 'sparse:oid=${name}'`);
  });

  it.each([secret.oid, `${hidden.oid}:secret`, 'refs/internal/hidden:secret', 'internal/hidden:secret'])(
    'GIT-083, GIT-129: is not found behind hidden refs: %s',
    async (name) => {
      expect(await sentWith(`sparse:oid=${name}`)).toBe(`invalid filter-spec 'sparse:oid=${name}'`);
    },
  );

  it('GIT-083: has a bound, and so have all of one filter together', async () => {
    expect(await sentWith('sparse:oid=sizes:a')).toContain(root.oid);
    expect(await sentWith('sparse:oid=sizes:c')).toContain('invalid filter-spec');
    expect(await sentWith('combine:sparse:oid=sizes:a+sparse:oid=sizes%3Aa')).toContain(root.oid);
    expect(await sentWith('combine:sparse:oid=sizes:a+sparse:oid=sizes:b')).toContain('invalid filter-spec');
    // By two names it is one file.
    expect(await sentWith(`combine:sparse:oid=sizes:a+sparse:oid=${(large[0] as typeof kept).oid}`)).toContain(
      root.oid,
    );
    const names = [
      'odd/patterns',
      'main:',
      'heads/main:',
      'refs/heads/main:',
      'HEAD:',
      'annotated:',
      'tags/annotated:',
    ];
    const all = [patterns.oid, ...names.map((name) => (name.endsWith(':') ? `${name}patterns/of mine` : name))];
    const filter = (list: readonly string[]): string =>
      `combine:${list.map((name) => `sparse:oid=${encodeURIComponent(name)}`).join('+')}`;
    expect(await sentWith(filter(all))).toContain(kept.oid);
    expect(await sentWith(filter([...all, 'refs/odd/patterns']))).toContain('invalid filter-spec');
  });
});

describe('an invalid filter', () => {
  it.each(versions)('GIT-085: is refused with its whole text, and not ignored, in version %i', async (version) => {
    for (const filter of ['nonsense', 'blob:limit=', 'combine:blob:none+tree:x', 'tree:-1', 'object:type=blobs']) {
      expect(await sentWith(filter, version)).toBe(`invalid filter-spec '${filter}'`);
    }
    expect(await sentWith('sparse:path=patterns', version)).toBe('sparse:path filters support has been dropped');
  });

  it('GIT-085: two in one request are refused', async () => {
    const words = ['filter blob:none', 'filter tree:0'];
    const { body } = await post(repo, fetchBody([main.oid], [], words));
    expect(linesOf(body)).toEqual(['ERR multiple filter-specs cannot be combined']);
  });
});
