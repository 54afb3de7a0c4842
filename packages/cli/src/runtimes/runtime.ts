import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Serve } from '@packhouse/server';

/** A runtime that the service can run on. */
export type RuntimeName = 'node' | 'workerd' | 'deno' | 'bun';

/** A runtime that this command can run on. */
export type ProgramName = Exclude<RuntimeName, 'workerd'>;

interface Runtime {
  /** The program that must run this process to serve there. */
  readonly program: ProgramName;
  /** Loads the server, in a process of that program. */
  readonly load: () => Promise<Serve>;
}

/** All runtimes of `serve --runtime`. */
export const runtimes: Readonly<Record<RuntimeName, Runtime>> = {
  node: {
    program: 'node',
    async load() {
      exposeCollection();
      return (await import('@packhouse/server/node')).serveNode;
    },
  },
  workerd: { program: 'node', load: async () => (await import('./workerd.ts')).serveWorkerd },
  deno: { program: 'deno', load: async () => (await import('@packhouse/server/deno')).serveDeno },
  bun: { program: 'bun', load: async () => (await import('@packhouse/server/bun')).serveBun },
};

/** Returns the runtime of this process. */
export function currentProgram(): ProgramName {
  if ('Deno' in globalThis) return 'deno';
  return 'Bun' in globalThis ? 'bun' : 'node';
}

/** Returns the runtime with this name, else that of this process. */
export function runtimeNamed(name: string | undefined): RuntimeName {
  return name !== undefined && Object.hasOwn(runtimes, name) ? (name as RuntimeName) : currentProgram();
}

/**
 * Lets the server collect garbage while it is idle, as `node --expose-gc` would. It changes nothing else in V8. Only
 * the command does this: a library must not change the process that it runs in.
 */
function exposeCollection(): void {
  if (globalThis.gc !== undefined) return;
  setFlagsFromString('--expose-gc');
  globalThis.gc = runInNewContext('gc') as NodeJS.GCFunction;
}
