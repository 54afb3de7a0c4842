import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take half a minute or more on two processors, the longest first. Started last, one of them would run alone
 * at the end, next to an idle worker.
 */
export const longest: readonly string[] = [
  'packages/adversary/src/faults/caught.long.test.ts',
  'packages/cli/test/conformance/node.test.ts',
  'packages/cli/test/suites.runtimes.test.ts',
  'packages/cli/test/kill-migrate.long.test.ts',
  'packages/cli/test/workers-folder.runtimes.test.ts',
  'packages/msw/test/conformance/chromium.browser.test.ts',
  'packages/server/test/maintenance/faults.long.test.ts',
  'packages/cli/test/conformance/workerd.runtimes.test.ts',
  'packages/cli/test/conformance/deno.runtimes.test.ts',
  'packages/cli/test/conformance/bun.runtimes.test.ts',
  'packages/cli/test/commands/migrate.runtimes.test.ts',
  'packages/cli/test/wrangler.runtimes.test.ts',
  'packages/cli/test/commands/serve-runtimes.runtimes.test.ts',
  'packages/server/test/maintenance/bucket-faults.long.test.ts',
  'packages/cli/test/kills/shared.long.test.ts',
  'packages/adversary/src/table/table-rows.long.test.ts',
  'packages/cli/test/memory-limit.runtimes.test.ts',
  'packages/tagging/src/stores/sql.long.test.ts',
  'packages/cli/test/power-cuts/database-errors.long.test.ts',
  'packages/server/test/packs/faults.long.test.ts',
  'packages/problem-details/test/package/readme.runtimes.test.ts',
  'packages/server/test/git/portable-codec.long.test.ts',
  'packages/cli/test/conformance/binding/node.test.ts',
  'packages/workers/test/service.runtimes.test.ts',
  'packages/cli/test/commands/serve.long.test.ts',
  'packages/server/test/maintenance/while-serving.long.test.ts',
  'packages/cli/test/several-servers.runtimes.test.ts',
  'packages/adversary/src/search/search.long.test.ts',
  'packages/cli/test/kill.long.test.ts',
  'packages/cli/test/kills/kills.long.test.ts',
  'packages/workers/test/tags.runtimes.test.ts',
  'packages/msw/test/readme/readme.long.test.ts',
  'packages/workers/test/objects.runtimes.test.ts',
  'packages/adversary/src/search/worst-inputs.long.test.ts',
  'packages/server/test/histories/round-trip.long.test.ts',
  'packages/cli/test/kill-maintenance.long.test.ts',
  'packages/server/test/memory/lent-memory.long.test.ts',
  'packages/cli/test/pause-server.long.test.ts',
  'packages/cli/test/kill-import.long.test.ts',
  'packages/msw/test/conformance/node.runtimes.test.ts',
  'packages/storage/test/s3-faults.runtimes.test.ts',
  'packages/problem-details/test/page/views.browser.test.ts',
  'packages/cli/test/faults/faults.long.test.ts',
];

/** Suites whose files take turns, except the conformance suite on each runtime. */
const inTurns: readonly string[] = ['runtimes', 'browser', 'long', 'workerd'];
const always = /\/packages\/cli\/test\/conformance\/[^/]+\.runtimes\./;

/**
 * Sorts the longest files first. Vitest's own order puts them last: it knows the sizes of files, but not what they do.
 * `--shard` divides only the files of slow suites: CI runs one shard of them at each commit (docs/decisions/0102).
 */
export class FileOrder extends BaseSequencer {
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 };
    const divided = files
      .filter(({ moduleId, project }) => inTurns.includes(project.name) && !always.test(moduleId))
      .toSorted((a, b) => placeOf(a) - placeOf(b) || (a.moduleId < b.moduleId ? -1 : 1));
    const left = new Set(divided.filter((_, i) => i % count !== index - 1));
    return files.filter((file) => !left.has(file));
  }

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Files that share a worker stay together, since the sort is stable.
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const found = longest.findIndex((path) => moduleId.endsWith(`/${path}`));
  return found === -1 ? longest.length : found;
}
