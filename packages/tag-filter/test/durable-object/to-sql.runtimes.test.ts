import { fc, it as property } from '@fast-check/vitest';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Log, LogLevel, Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyFilter, anyTags } from '../../src/filter/arbitraries.test.util.ts';
import { formatTagFilters } from '../../src/wire/format-tag-filter.ts';
import type { Answer, Question } from './worker.ts';

let miniflare: Miniflare;

beforeAll(async () => {
  const worker = JSON.stringify(fileURLToPath(new URL('worker.ts', import.meta.url)));
  const { outputFiles } = await build({
    stdin: { contents: `export { TagObject, worker as default } from ${worker};`, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    logLevel: 'silent',
  });
  miniflare = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.mjs', contents: outputFiles[0]?.text ?? '' }],
    durableObjects: { TAGS: { className: 'TagObject', useSQLite: true } },
    compatibilityDate: '2026-07-01',
    cf: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.NONE),
  });
}, 60_000);

afterAll(() => miniflare.dispose());

async function ask(question: Question): Promise<Answer> {
  const response = await miniflare.dispatchFetch('http://localhost/', {
    method: 'POST',
    body: JSON.stringify(question),
  });
  return (await response.json()) as Answer;
}

/** Letters that each Unicode version has, since workerd has another version. */
const settled = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Deseret}环\d_.-]+$/u;
const settledFilter = anyFilter.filter(({ key }) => settled.test(key));

describe('toSql in a Durable Object', () => {
  property.prop([fc.array(settledFilter, { maxLength: 3 }), fc.array(anyTags, { maxLength: 4 }), fc.boolean()])(
    'TAG-067, TAG-070, TAG-086: selects exactly the resources that match',
    async (filters, resources, caseInsensitive) => {
      const { selected, accepted } = await ask({ resources, search: formatTagFilters(filters), caseInsensitive });
      expect(selected).toEqual(accepted);
    },
  );

  it('TAG-135, TAG-136: accepts the longest valid filters', async () => {
    const values = Array.from({ length: 10 }, (_, index) => `${index}`.repeat(1024));
    const filters = Array.from({ length: 20 }, () => ({ key: 'k'.repeat(256), test: 'one-of', values }) as const);
    const resources = [{ ['k'.repeat(256)]: '7'.repeat(1024) }, { ['k'.repeat(256)]: '%' }];
    for (const caseInsensitive of [false, true]) {
      const answer = await ask({ resources, search: formatTagFilters(filters), caseInsensitive });
      expect(answer).toEqual({ selected: [0], accepted: [0] });
    }
  });
});
