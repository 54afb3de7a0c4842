import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build, type BuildOptions } from 'esbuild';
import { Log, LogLevel, Miniflare } from 'miniflare';
import { type InstalledProject, run } from './installed-project.ts';

/** Runs the `run` that a module of a project exports, and gives what it has logged, line by line. */
export type Runtime = (project: InstalledProject, module: string) => Promise<readonly string[]>;

const packaged = (path: string): string => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));

/** The oldest Node that the package promises to run on. */
export const oldestNode: string = packaged('node-20/bin/node');

/** The module and all it imports from the project as one text, and from packages too unless they stay outside. */
async function bundle(project: InstalledProject, contents: string, options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: project.folder, loader: 'ts' },
    bundle: true,
    write: false,
    target: 'es2024',
    logLevel: 'silent',
    ...options,
  });
  return outputFiles?.[0]?.text ?? '';
}

/** A module of the project, as an import names it. */
const quoted = (module: string): string => JSON.stringify(`./${module}`);

/** A program, and what stands before the path of a script. */
const inProcess =
  (program: string, ...before: string[]): Runtime =>
  async (project, module) => {
    const contents = `import { run } from ${quoted(module)}; await run();`;
    // Packages stay as they were installed: what runs is the published JavaScript.
    const text = await bundle(project, contents, { platform: 'neutral', packages: 'external', format: 'esm' });
    const output = await run(program, [...before, project.write('main.mjs', text)], project.folder);
    return output.trimEnd().split('\n');
  };

/** Defines `logged`, which resolves to the lines. */
const collected = (module: string): string => `
  import { run } from ${quoted(module)};
  const lines = [];
  console.log = (...items) => lines.push(items.map(String).join(' '));
  export const logged = async () => { await run(); return lines; };
`;

async function inWorkerd(project: InstalledProject, module: string): Promise<readonly string[]> {
  const contents = `${collected(module)}
    export default { fetch: async () => Response.json(await logged()) };`;
  const conditions = ['workerd', 'worker', 'browser'];
  const script = await bundle(project, contents, { platform: 'neutral', format: 'esm', conditions });
  const miniflare = new Miniflare({
    modules: [{ type: 'ESModule', path: 'main.mjs', contents: script }],
    compatibilityDate: '2026-07-01',
    cf: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.NONE),
  });
  try {
    const response = await miniflare.dispatchFetch('http://localhost/');
    return (await response.json()) as string[];
  } finally {
    await miniflare.dispose();
  }
}

const forBrowsers: BuildOptions = { platform: 'browser', format: 'iife', globalName: 'program' };

/** A context that has the language, and of browsers what the package and the README use, and nothing else. */
async function inBundle(project: InstalledProject, module: string): Promise<readonly string[]> {
  const script = await bundle(project, collected(module), forBrowsers);
  const context = createContext({ console: {}, TextEncoder, URL, btoa });
  return (await runInContext(`${script}\nprogram.logged()`, context)) as string[];
}

const browser = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

/** Whether there is a Chromium, or has to be. */
export const hasBrowser: boolean = browser !== undefined || process.env['PACKHOUSE_BROWSER'] === 'required';

async function inChromium(project: InstalledProject, module: string): Promise<readonly string[]> {
  const script = await bundle(project, collected(module), forBrowsers);
  const show = `program.logged().then((lines) => { document.body.dataset.lines = encodeURIComponent(JSON.stringify(lines)); });`;
  const page = project.write(
    'page.html',
    `<!doctype html><meta charset="utf-8"><body><script>${script}\n${show}</script>`,
  );
  const profile = `--user-data-dir=${join(project.folder, 'profile')}`;
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
  const dump = await run(browser ?? '', [...flags, profile, '--dump-dom', `file://${page}`], project.folder);
  const [, lines = ''] = /data-lines="([^"]+)"/.exec(dump) ?? [];
  return JSON.parse(decodeURIComponent(lines)) as string[];
}

/** Where the package has to do what its README says. */
export const runtimes: Readonly<Record<string, Runtime>> = {
  'the oldest Node': inProcess(oldestNode),
  Node: inProcess(process.execPath),
  // No rights at all: the package needs none.
  Deno: inProcess(packaged('deno/deno'), 'run', '--quiet', '--no-prompt', '--no-lock'),
  Bun: inProcess(packaged('bun/bin/bun.exe'), '--config=/dev/null', '--no-env-file'),
  workerd: inWorkerd,
  'a browser bundle': inBundle,
  ...(hasBrowser ? { Chromium: inChromium } : {}),
};
