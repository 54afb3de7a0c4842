import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A process. Its start time distinguishes it from a later one with the same number. */
interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly started: string;
  readonly command: string;
}

/**
 * Records which workerd uses a folder. workerd survives a `kill -9` of the process that started it. After the next
 * start, two of them would then use the same files.
 */
export class WorkerdNote {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(folder, 'workerd.json');
  }

  /**
   * Ends the orphaned workerd of a dead process. The caller must hold the lock of the folder, so that the workerd of a
   * living process is not ended.
   *
   * @throws {Error} if it does not end within about five seconds.
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

  /** Records the workerd that this process has just started. Call this before workerd opens a file. */
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

/** Lists the visible processes of this machine. On Windows it lists none: end an orphaned workerd by hand there. */
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

/** Reads proc_pid_stat(5): the command is in parentheses, then follow the fields from the third on. */
function ofLinux(name: string): Running[] {
  if (!/^\d+$/.test(name)) return [];
  try {
    const [, command = '', rest = ''] = /\((.*)\) (.*)$/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ');
    return [{ pid: Number(name), parent: Number(fields[1]), started: `${bootId()} ${fields[19]}`, command }];
  } catch {
    // The process has ended meanwhile.
    return [];
  }
}

/** Returns the id of this boot, since start times count from the boot of the machine. */
function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}
