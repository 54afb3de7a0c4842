import { createContext, runInContext } from 'node:vm';
import {
  bun,
  bundleCode,
  deno,
  hasBrowser,
  inChromium,
  inProcess,
  inWorkerd,
  loggedBy,
  node20,
  type RunModule,
} from '@packhouse/fixtures/runtimes';

/** Runs in a context with only the language and the browser APIs that the package and the README use. */
const inBundle: RunModule = async (folder, module) => {
  const options = { platform: 'browser', format: 'iife', globalName: 'program' } as const;
  const script = await bundleCode(folder, loggedBy(module), options);
  const context = createContext({ console: {}, TextEncoder, URL, btoa });
  return (await runInContext(`${script}\nprogram.logged()`, context)) as string[];
};

/** The runtimes on which the README must be right. */
export const runtimes: Readonly<Record<string, RunModule>> = {
  'the oldest Node': inProcess(node20),
  Node: inProcess(process.execPath),
  // Deno gets no permissions, because the package needs none.
  Deno: inProcess(deno, 'run', '--quiet', '--no-prompt', '--no-lock'),
  Bun: inProcess(bun, '--config=/dev/null', '--no-env-file'),
  workerd: inWorkerd(),
  'a browser bundle': inBundle,
  ...(hasBrowser ? { Chromium: inChromium } : {}),
};
