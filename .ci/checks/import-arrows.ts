import { posix } from 'node:path';

const ground = ['base', 'git', 'problem-details', 'tag-filter'];
const service = ['hosting', 'tagging', ...ground];
const deployable = ['router', 'binding', 'storage', ...service];

/** The packages that the sources of a package may import (ARCHITECTURE.md). */
const mayImport: Record<string, readonly string[]> = {
  cli: ['client', 'command', 'server', 'workers', 'conformance', ...deployable],
  server: deployable,
  workers: deployable,
  msw: deployable,
  router: service,
  binding: service,
  storage: service,
  hosting: ground,
  tagging: ['base', 'tag-filter'],
  base: [],
  client: [],
  command: [],
  git: ['base'],
  'problem-details': [],
  'tag-filter': [],
  bench: ['fixtures', 'msw', 'router', 'storage', ...service],
  // `adversary` attacks and measures all other packages.
  adversary: ['conformance', 'fixtures', 'msw', 'server', ...deployable],
  // `conformance` knows the specification, never the implementation.
  conformance: ['command'],
};

/** Packages that run without Node, each with its adapter modules for Node. */
const withoutNode: Record<string, readonly string[]> = {
  git: [
    'packages/git/src/codec/node-deflate.ts',
    'packages/git/src/codec/node.ts',
    'packages/git/src/threads/file-source.ts',
    'packages/git/src/threads/node.ts',
    'packages/git/src/threads/receiving-worker.ts',
    'packages/git/src/threads/worker-thread.ts',
  ],
  'problem-details': [],
  'tag-filter': [],
  base: ['packages/base/src/sql/node-sqlite.ts', 'packages/base/src/sql/log-sync.ts'],
  tagging: [],
  hosting: [],
  router: [],
  binding: [],
  msw: [],
  client: [],
};

/**
 * The layers of folders in a package, the topmost first. Each may import the layers below, but no other folder of the
 * same layer.
 */
const layers: Record<string, readonly (readonly string[])[]> = {
  git: [
    ['contract', 'threads'],
    ['integrate'],
    ['commit', 'fetch-client', 'fork', 'verify'],
    ['change'],
    ['maintain', 'receive-pack'],
    ['upload-pack'],
    ['archive'],
    ['attributes', 'filter'],
    ['content'],
    ['merge'],
    ['diff'],
    ['repository'],
    ['stored-refs'],
    ['engine'],
    ['graph'],
    ['pack', 'reply'],
    ['codec', 'memory', 'wire'],
    ['ports'],
    ['patterns', 'refs'],
    ['bytes', 'object', 'work'],
  ],
  hosting: [
    ['contract', 'repos'],
    ['merges'],
    ['commits', 'forks', 'imports'],
    ['lifecycle'],
    ['content', 'git', 'input', 'refs'],
    ['changes', 'namespaces', 'tokens'],
    ['webhooks'],
    ['events'],
    ['limits', 'lists', 'lookup'],
    ['internal'],
    ['ports', 'settings'],
    ['dialect', 'names', 'outbound'],
  ],
  msw: [['store'], ['service'], ['faults', 'seed'], ['handlers'], ['options'], ['values']],
  base: [['contract', 'http', 'postgres'], ['access', 'log', 'sql'], ['errors', 'settings'], ['core']],
  cli: [['commands'], ['api', 'completion', 'git', 'runtimes', 'shared-storage'], ['data-folder']],
  command: [['command', 'process'], ['output']],
  storage: [
    ['contract'],
    ['testing'],
    ['transfer'],
    ['cache', 's3'],
    ['bucket', 'files', 'memory', 'postgres', 'sql'],
    ['packs'],
    ['catalog', 'repo-state'],
  ],
  router: [['pages'], ['config', 'git', 'rest', 'tags', 'upkeep'], ['reply', 'settings', 'tracing']],
  tagging: [
    ['http', 'contract'],
    ['service', 'stores'],
    ['lists'],
    ['resources', 'admission'],
    ['input'],
    ['registry'],
    ['model'],
  ],
  'problem-details': [
    ['hono'],
    ['middleware'],
    ['response'],
    ['custom', 'origin'],
    ['render', 'client', 'openapi'],
    ['problem'],
    ['thrown'],
    ['negotiation', 'catalogue', 'dialect'],
  ],
  workers: [['binding', 'objects', 'local'], ['service'], ['environment'], ['calls'], ['request']],
  server: [
    ['runtimes'],
    ['serve', 'node-http', 'web'],
    ['service'],
    ['metrics'],
    ['http'],
    ['process', 'config', 'data-folder'],
    ['start-error.ts'],
  ],
};

/** Returns what is wrong with an import from one folder of a package to another, or null. */
const layerFault = (name: string, file: string, target: string): string | null => {
  const rows = layers[name];
  const [from, to] = [file, target].map((path) => path.split('/')[3] ?? '');
  if (rows === undefined || from === to || !file.slice(`packages/${name}/src/`.length).includes('/')) return null;
  const [above, below] = [from, to].map((folder) => rows.findIndex((row) => row.includes(folder ?? '')));
  if (above === undefined || above < 0) return `${file}: the architecture does not say in which layer it is`;
  return below !== undefined && below > above ? null : `${file}: ${from} may not import ${to}`;
};

/** Tools that only tests need, with the files and folders that may import them. */
const forTests: Record<string, readonly string[]> = {
  vitest: [
    'conformance/src/vitest.ts',
    'packages/git/src/contract/',
    'packages/hosting/src/contract/',
    'packages/storage/src/contract/',
    'packages/base/src/contract/',
    'packages/tagging/src/contract/',
  ],
};

/** Returns the specifiers of every static, side-effect and dynamic import, and of every re-export, in a source text. */
export const importsOf = (source: string): string[] => {
  const code = source.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
  const found = code.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"\n]+)\1/g);
  return [...found].map((match) => match[2] ?? '');
};

/**
 * Returns what is wrong with an import, or null. `file` is a path such as `packages/git/src/wire/pkt-line.ts`. Tests
 * and examples may import any package in their manifest, but their relative imports must also stay inside their package.
 */
export const importFault = (file: string, specifier: string): string | null => {
  const [top = '', second = ''] = file.split('/');
  const [name, folder] = top === 'packages' ? [second, `packages/${second}/`] : [top, `${top}/`];
  const isTest = file.includes('.test.') || ['test', 'examples'].some((part) => file.startsWith(`${folder}${part}/`));
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(file), specifier);
    if (!target.startsWith(folder)) return `${file}: ${specifier} leaves the package`;
    if (!specifier.endsWith('.ts') && !specifier.endsWith('.json')) return `${file}: ${specifier} has no .ts ending`;
    return isTest ? null : layerFault(name, file, target);
  }
  if (isTest) return null;
  if (specifier.startsWith('node:')) {
    const adapters = withoutNode[name];
    return adapters && !adapters.includes(file) ? `${file}: ${name} runs without Node but imports ${specifier}` : null;
  }
  if (forTests[specifier]?.some((place) => file.startsWith(place)) === false)
    return `${file}: ${specifier} is for tests`;
  const imported = /^@packhouse\/([^/]+)/.exec(specifier)?.[1];
  if (imported === undefined) return null;
  const allowed = mayImport[name];
  if (!allowed) return `${file}: the architecture does not say what ${name} may import`;
  return allowed.includes(imported) ? null : `${file}: ${name} may not import ${specifier}`;
};

/**
 * Returns the folders that import each other in a circle, sorted. `sources` has the text of each file by its path. The
 * folder `src` does not count: its files are the entries of the package, or shared by all folders.
 */
export const foldersInCircles = (sources: ReadonlyMap<string, string>): string[] => {
  const arrows = new Map<string, Set<string>>();
  for (const [file, source] of sources) {
    const from = posix.dirname(file);
    const to = importsOf(source)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => posix.dirname(posix.join(from, specifier)));
    arrows.set(
      from,
      new Set([...(arrows.get(from) ?? []), ...to.filter((folder) => folder !== from && !folder.endsWith('/src'))]),
    );
  }
  const reaches = (start: string): boolean => {
    const seen = new Set<string>();
    const waiting = [start];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for (const next of arrows.get(folder) ?? []) {
        if (next === start) return true;
        if (!seen.has(next)) waiting.push(next);
        seen.add(next);
      }
    }
    return false;
  };
  return [...arrows.keys()].filter(reaches).toSorted();
};
