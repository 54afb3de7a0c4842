import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runtimeProgram, type ProgramName } from '../../support/runtime-program.ts';
import type { StartBound } from './bound.ts';
import { configurationOf } from './configuration.ts';
import { checkLog, type GivenSettings } from './deployment.ts';
import { readLog } from './server-log.ts';

/** The options of `binding-host.ts`. */
export interface HostRequest {
  readonly runtime: ProgramName;
  /** The folder for all data. */
  readonly data: string;
  /** The configuration, as in a file. Bindings have the names of their namespaces. */
  readonly config: GivenSettings;
  /** The secret of the probe. */
  readonly secret: string;
}

const host = fileURLToPath(new URL('binding-host.ts', import.meta.url));
const flags: Readonly<Record<ProgramName, readonly string[]>> = { node: [], deno: ['run', '--quiet', '-A'], bun: [] };

/** Milliseconds until a process that does not become ready, or does not exit, is killed. */
const patience = 45_000;

/** Starts a program with the service in its own process, on a new data folder. */
export function hosted(runtime: ProgramName): StartBound {
  return async ({ dialect, tenants, namespaces, secret, remote, settings }) => {
    const folder = await mkdtemp(join(tmpdir(), `packhouse-bound-${runtime}-`));
    const key = { neutral: 'repos', cloudflare: 'artifacts' }[dialect];
    const entries = namespaces.map((namespace) => ({ binding: namespace, namespace }));
    const config = configurationOf(tenants, { dialect, [key]: entries, ...settings });
    const asked: HostRequest = { runtime, data: join(folder, 'data'), config, secret };
    const child = spawn(runtimeProgram(runtime), [...flags[runtime], host], {
      env: { ...process.env, ...remote?.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const log = readLog(child.stderr);
    const killed = (): NodeJS.Timeout => setTimeout(() => child.kill('SIGKILL'), patience);
    const unready = killed();
    child.stdin.write(`${JSON.stringify(asked)}\n`);
    const firstLine = new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve));
    const ready = await Promise.race([firstLine, ended]);
    clearTimeout(unready);
    if (typeof ready !== 'string') {
      await rm(folder, { recursive: true, force: true });
      throw new Error(`the program on ${runtime} ended with ${ready}:\n${log.last.join('\n')}`);
    }
    return {
      ...(JSON.parse(ready) as { readonly origin: string; readonly probeUrl: string }),
      async stop() {
        const unended = killed();
        child.stdin.end();
        const code = await ended;
        clearTimeout(unended);
        await rm(folder, { recursive: true, force: true, maxRetries: 3 });
        checkLog(log.errors);
        if (code !== 0) throw new Error(`the program ended with ${code}:\n${log.last.join('\n')}`);
      },
    };
  };
}
