import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { node20 } from '@packhouse/fixtures/runtimes';
import { beforeAll, describe, expect, it } from 'vitest';
import { type InstalledProject, installProject } from './installed-project.ts';
import { readBlocks } from './readme-blocks.ts';
import { runtimes } from './runtimes.ts';

const { files, printed, unmarked } = readBlocks();
const modules = [...files.keys()].filter((name) => name.endsWith('.ts'));

/** First line of a module's output. */
const heading = (name: string): string => `# ${name}`;

let project: InstalledProject;
beforeAll(async () => {
  project = await installProject();
  // The export makes TypeScript treat the file as a module.
  for (const name of modules) project.write(name, `${files.get(name)}\nexport {};\n`);
  const imports = modules.map(
    (name) => `console.log('${heading(name)}');\nawait import(${JSON.stringify(`./${name}`)});`,
  );
  project.write('all.ts', `export async function run() {\n${imports.join('\n')}\n}\n`);
  return () => project.remove();
}, 240_000);

describe('the README', () => {
  it('has only blocks that are executed', () => {
    expect(unmarked).toEqual([]);
    expect(modules.length).toBeGreaterThan(3);
    expect([...printed.keys()]).toEqual(modules);
    expect([...files.keys()].filter((name) => !modules.includes(name))).toEqual(['schema.sql']);
  });

  it.each(Object.keys(runtimes))('describes the published package: %s', async (name) => {
    const expected = modules.flatMap((module) => [
      heading(module),
      ...(printed.get(module) ?? '').trimEnd().split('\n'),
    ]);
    expect(await runtimes[name]?.(project.folder, 'all.ts')).toEqual(expected);
  });

  it('has a schema for its queries, and indexes that answer them', () => {
    const database = new DatabaseSync(':memory:');
    const planOf = (name: string, ...before: (string | number)[]): readonly string[] => {
      const [sql = '', parameters = ''] = (printed.get(name) ?? '').split('\n');
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`);
      return plan.all(...before, ...(JSON.parse(parameters) as string[])).map(({ detail }) => String(detail));
    };
    try {
      database.exec(files.get('schema.sql') ?? '');
      const steps = planOf('select.ts').filter((detail) => detail.includes('matched_tag'));
      expect(steps).toHaveLength(2);
      for (const step of steps) expect(step).toMatch(/^SEARCH matched_tag .*(PRIMARY KEY|INDEX \w+) \(/);

      // The query begins inside the index and reads it in order.
      const [first, ...others] = planOf('begin.ts', 'owner', 'ada', 0);
      expect(first).toBe('SEARCH first USING COVERING INDEX tags_by_value (key=? AND value=? AND resource_id>?)');
      expect(others.join('\n')).toMatch(/^(CORRELATED SCALAR SUBQUERY \d\n)?SEARCH matched_tag [^\n]+$/);
    } finally {
      database.close();
    }
  });
});

describe('the published package', () => {
  it('has types that suit the README and need only the language', async () => {
    expect(await project.check(modules, ['es2024', 'dom'])).toBe('');
    project.write('types.ts', "export * from '@packhouse/tag-filter';\n");
    expect(await project.check(['types.ts'], ['es2024'])).toBe('');
    project.write(
      'wrong.ts',
      "import type { TagKey } from '@packhouse/tag-filter';\nexport const key: TagKey = 'env';\n",
    );
    expect(await project.check(['wrong.ts'], ['es2024'])).toMatch(/^wrong\.ts\(2,14\): error TS2322/);
  });

  it('has no dependency and no test, and promises the tested Node version', () => {
    const folder = join(project.folder, 'node_modules/@packhouse/tag-filter');
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
    const version = execFileSync(node20, ['--version'], { encoding: 'utf8' }).trim();
    expect(manifest).toMatchObject({ engines: { node: `>=${version.replace(/^v|\.0$/g, '')}` } });
    expect(manifest['dependencies']).toBeUndefined();
    expect(manifest['peerDependencies']).toBeUndefined();
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(paths).toContain('dist/index.js');
    expect(paths.filter((path) => path.includes('.test.'))).toEqual([]);
  });
});
