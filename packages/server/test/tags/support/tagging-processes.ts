import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openNodeSqlite } from '@packhouse/base/node-sqlite';

const script = fileURLToPath(new URL('tagging-process.ts', import.meta.url));

/** The tagging API in several processes, each with its own connection to the same database file. */
export interface TaggingProcesses {
  /** Origins of the API of each process, in the order of the processes. */
  readonly origins: readonly string[];
  readonly file: string;
  /** SIGKILL for one of them; resolves when it is gone. */
  kill(index: number): Promise<void>;
  /** Starts a killed one again, at another origin. */
  restart(index: number): Promise<void>;
  /** @throws if one of them complained, or ended by itself. */
  stop(): Promise<void>;
}

interface Process {
  readonly child: ChildProcess;
  readonly origin: string;
  readonly exited: Promise<number | null>;
  /** Returns its standard error output so far. */
  readonly errors: () => string;
}

/** @param accountMax `account_tags_max` of each of them. */
export async function startTaggingProcesses(count: number, accountMax = 10_000): Promise<TaggingProcesses> {
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-tags-'));
  const file = join(folder, 'tags.sqlite');
  // Switch the new file to a write-ahead log first: SQLite does not wait for another process that does so.
  openNodeSqlite(file).close();
  const start = async (): Promise<Process> => {
    const child = spawn(process.execPath, [script, file, String(accountMax)], { stdio: ['ignore', 'pipe', 'pipe'] });
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const origin = await Promise.race([
      new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve)),
      exited,
    ]);
    if (typeof origin !== 'string') throw new Error(`a process ended with ${origin}: ${errors}`);
    return { child, origin, exited, errors: () => errors };
  };
  const processes = await Promise.all(Array.from({ length: count }, start));
  /** Standard error output of killed processes. */
  let complaints = '';
  const at = (index: number): Process => {
    const found = processes[index];
    if (found === undefined) throw new RangeError(`No process ${index}`);
    return found;
  };
  return {
    get origins() {
      return processes.map(({ origin }) => origin);
    },
    file,
    async kill(index) {
      const { child, exited, errors } = at(index);
      child.kill('SIGKILL');
      await exited;
      complaints += errors();
    },
    async restart(index) {
      processes[index] = await start();
    },
    async stop() {
      for (const { child } of processes) child.kill('SIGTERM');
      const codes = await Promise.all(processes.map(({ exited }) => exited));
      rmSync(folder, { recursive: true, force: true });
      const errors = complaints + processes.map((one) => one.errors()).join('');
      if (errors !== '' || codes.some((code) => code !== 0))
        throw new Error(`ended with ${codes.join(', ')}: ${errors}`);
    },
  };
}
