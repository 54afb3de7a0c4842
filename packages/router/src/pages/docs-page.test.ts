import { neutral } from '@packhouse/hosting';
import { repoErrors } from '@packhouse/base';
import { describe, expect, it } from 'vitest';
import { docsHtml } from './docs-page.ts';
import { schemaWords } from './docs-schema.ts';
import { testService } from '../test-service.test.util.ts';

describe('docsHtml', () => {
  it('REPO-029: shows each operation with every parameter and member of its body, and every error code', async () => {
    const { send } = testService({ dialect: neutral });
    const page = await (await send('/docs')).text();
    const { paths } = (await (await send('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { operationId: string; parameters: { name: string }[] }>>;
    };
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(operations.length).toBeGreaterThan(8);
    for (const { operationId, parameters } of operations) {
      const section = new RegExp(`<section id="${operationId}">[^]*?</section>`).exec(page)?.[0] ?? '';
      for (const { name } of parameters) expect(section, operationId).toContain(`<code>${name}</code>`);
      expect(section).toContain('curl ');
    }
    expect(page).toContain('<td><code>default_branch</code></td><td>body</td>');
    for (const nested of ['author.email', 'changes[].op', 'updates[].name']) expect(page).toContain(`<code>${nested}<`);
    expect(page).toContain('/repos/notes/archive/main.tar.gz');
    expect(page).toContain('--data-binary @plan.md');
    expect(page).toContain('/repos/notes/refs/heads/main');
    expect(page).toContain('&#34;name&#34;:&#34;notes&#34;');
    for (const { code } of Object.values(repoErrors)) expect(page).toContain(`<td><code>${code}</code></td>`);
    for (const target of page.matchAll(/href="#([^"]*)"/g)) expect(page).toContain(`id="${target[1]}"`);
    expect(page).not.toMatch(/<script|undefined|\[object/);
  });

  it('REPO-120, REPO-125: the examples of forks and imports are valid requests', async () => {
    const page = await (await testService({ dialect: neutral }).send('/docs')).text();
    expect(page).toMatch(/repos\/notes\/fork [^]*?-d &#39;\{&#34;name&#34;:&#34;notes-try&#34;\}&#39;/);
    expect(page).toContain('{&#34;url&#34;:&#34;https://github.com/owner/repo&#34;}');
  });

  it('REPO-251, REPO-254: the example of a commit has a change, and the reply a moved ref', async () => {
    const page = await (await testService({ dialect: neutral }).send('/docs')).text();
    expect(page).toContain('&#34;changes&#34;:[{&#34;op&#34;:&#34;put&#34;,');
    expect(page).toMatch(/&#34;ref&#34;: \{\s+&#34;name&#34;/);
  });

  it('REPO-237, REPO-280, REPO-284: the examples of updates, merges and picks have what the service requires', async () => {
    const page = (await (await testService({ dialect: neutral }).send('/docs')).text()).replaceAll('&#34;', '"');
    expect(page).toContain('{"description":"Agent notes"}');
    expect(page).toContain('{"into":"main","from":"next","author":{"name":"Ada","email":"ada@example.com"}}');
    expect(page).toContain('{"into":"main","commit":"next","committer":{');
    expect(page).toContain('<code>from.repo</code>');
  });

  it('escapes markup in the document', () => {
    const paths = { '/<i>': { get: { summary: '<b>"x"', operationId: '"><i>' } } };
    expect(docsHtml({ info: { title: '<i>' }, paths })).not.toMatch(/<i>|<b>"/);
  });
});

describe('schemaWords', () => {
  it.each([
    [{ type: 'integer', minimum: 1, maximum: 200, default: 50 }, 'integer, 1 to 200, default 50'],
    [{ type: ['string', 'null'], maxLength: 9 }, 'string or null, at most 9 characters'],
    [{ type: 'string', enum: ['a', 'b'] }, 'one of a, b'],
    [{ type: 'integer', minimum: 1 }, 'integer, at least 1'],
    [{ oneOf: [{ type: 'string' }, { type: 'object' }] }, 'string, or object'],
  ])('describes %j', (schema, words) => {
    expect(schemaWords(schema)).toBe(words);
  });
});
