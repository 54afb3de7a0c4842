import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A process, told apart from a later one with the same number by when it started. */
interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly started: string;
  readonly command: string;
}

/**
 * Notes which workerd works on a folder. workerd does not end with the process that started it: after a `kill -9` of
 * that one it would go on, and the next start would have two of them on the same files.
 */
export class WorkerdNote {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, 'workerd.json');
  }

  /**
   * Ends a workerd that is left of a process which died. The caller holds the folder, so nobody else works on it.
   *
   * @throws {Error} if it does not end.
   */
  async endLeft(): Promise<void> {
    const noted = this.#read();
    const isLeft = (): boolean =>
      noted !== undefined && processes().some(({ pid, started }) => pid === noted.pid && started === noted.started);
    if (noted === undefined || !isLeft()) return;
    process.kill(noted.pid, 'SIGKILL');
    for (let waited = 0; isLeft(); waited += 1) {
      if (waited > 100) throw new Error(`workerd, process ${noted.pid}, does not end`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Notes the workerd that this process has just started: before it has opened a file. */
  noteChild(): void {
    const child = processes()
      .filter(({ parent, command }) => parent === process.pid && command.includes('workerd'))
      .sort((a, b) => b.pid - a.pid)[0];
    if (child !== undefined) writeFileSync(this.#file, JSON.stringify(child), { mode: 0o600, flush: true });
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }

  #read(): Running | undefined {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8')) as Running;
    } catch {
      return undefined;
    }
  }
}

/** Processes of this machine that this one may see. On Windows none: there a left workerd has to be ended by hand. */
function processes(): readonly Running[] {
  if (process.platform === 'linux') return readdirSync('/proc').flatMap(ofLinux);
  if (process.platform === 'win32') return [];
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,lstart=,comm='], { encoding: 'utf8' });
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, started, command] =
      /^\s*(\d+)\s+(\d+)\s+(\S+\s+\S+\s+\d+\s+\S+\s+\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), started: started ?? '', command }];
  });
}

/** proc_pid_stat(5): the command stands in parentheses, then the fields from the third on. */
function ofLinux(name: string): Running[] {
  if (!/^\d+$/.test(name)) return [];
  try {
    const [, command = '', rest = ''] = /\((.*)\) (.*)$/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ');
    return [{ pid: Number(name), parent: Number(fields[1]), started: `${bootId()} ${fields[19]}`, command }];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

/** The time of start counts from the start of the machine. */
function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}
