import { spawn } from 'node:child_process';
import { CliError } from '../output/cli-error.ts';
import type { Io } from '../output/io.ts';
import { shown } from '../output/print.ts';
import type { Progress } from '../output/progress.ts';

/** A remote, and the repo token that opens it. */
export interface Credential {
  readonly remote: string;
  readonly token: string;
}

/** What a run of `git` is given beside its arguments. */
export interface GitInput {
  readonly credential?: Credential;
  /** What it reads. */
  readonly text?: string;
  /** Shows the progress that `git` reports with `--progress`. */
  readonly progress?: Progress;
}

/** What a run of `git` printed. */
export interface GitOutput {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Characters kept of what `git` prints: some million refs. */
const keptMax = 64_000_000;
/** Lines of its last words that are shown. */
const linesShown = 6;

/** Such as `Receiving objects:  45% (9/20), 1.2 MiB | 3.4 MiB/s`. */
const progressLine = /^(?:remote: )?[A-Z][\w ]+: +\d/;

/** Variables by which a caller, such as a hook of Git, would point `git` at another repository. */
const ofAnotherRepository =
  /^GIT_(?:DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|(?:ALTERNATE_)?OBJECT_DIRECTOR(?:Y|IES)|COMMON_DIR|NAMESPACE|CONFIG.*|PREFIX|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|QUARANTINE_PATH)$/;

/**
 * Runs the `git` program. A credential goes by the environment, for its remote alone: never in an argument, which other
 * users see. Whatever the remote says, `git` speaks HTTP, asks nobody for a password and runs no hooks. A signal to us
 * ends it, so that the caller still removes what it made.
 *
 * @throws {CliError} kind `start` if there is no `git`.
 */
export async function runGit(
  io: Io,
  args: readonly string[],
  { credential, text, progress }: GitInput = {},
): Promise<GitOutput> {
  const inherited = Object.entries(process.env).filter(([name]) => !ofAnotherRepository.test(name));
  const child = spawn('git', args, {
    cwd: io.cwd,
    env: {
      ...Object.fromEntries(inherited),
      ...configuration([
        ['core.hooksPath', '/dev/null'],
        ['credential.helper', ''],
        ['http.followRedirects', 'false'],
        // Kept as it comes, however small.
        ['fetch.unpackLimit', '1'],
        ...(credential === undefined
          ? []
          : [[`http.${credential.remote}.extraHeader`, `Authorization: Bearer ${credential.token}`] as const]),
      ]),
      GIT_ALLOW_PROTOCOL: 'http:https',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ASKPASS: '',
      LC_ALL: 'C',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, to be ended as one.
    detached: true,
  });
  // One that ends before it has read everything says why itself.
  child.stdin.on('error', () => {}).end(text);
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out = (out + text).slice(0, keptMax)));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err = (err + text).slice(-keptMax);
    const current = text.split(/[\r\n]/).findLast((part) => progressLine.test(part));
    if (current !== undefined) progress?.show(current);
  });
  let isStopped = false;
  const release = io.onSignal(() => {
    isStopped = true;
    if (child.pid !== undefined) endGroup(child.pid);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  })
    .catch((error: unknown) => {
      throw new CliError('start', 'The git program cannot be run.', 'Install Git 2.29 or later.', { cause: error });
    })
    .finally(release);
  return { code, out, err: isStopped ? `${err}\nstopped by a signal\n` : err };
}

/** Ends a program with those that it has started, which would go on without it. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader);
  } catch {
    // All of them have ended by themselves.
  }
}

/** Its last words, for people. */
export function lastWords({ err }: GitOutput): string {
  const lines = err
    .split('\n')
    // What was written over on a terminal.
    .map((line) => line.replace(/^[^]*\r(?=.)/, ''))
    .filter((line) => line.trim() !== '' && !(progressLine.test(line) && line.trimEnd().endsWith('done.')));
  return lines
    .slice(-linesShown)
    .map((line) => `  ${shown(line)}`)
    .join('\n');
}

/** Configuration of one run, as `git` takes it from its environment. */
function configuration(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(pairs.length)],
    ...pairs.flatMap(([key, value], i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, value],
    ]),
  ]) as Record<string, string>;
}
