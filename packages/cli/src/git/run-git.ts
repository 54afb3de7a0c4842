import { spawn } from 'node:child_process';
import { CliError, shown, type Io, type Progress } from '@packhouse/command';

/** A remote and the repo token for it. */
export interface Credential {
  readonly remote: string;
  readonly token: string;
}

/** The input of a `git` run besides its arguments. */
export interface GitInput {
  readonly credential?: Credential;
  /** The text for its standard input. */
  readonly text?: string;
  /** Shows the progress that `git` reports with `--progress`. */
  readonly progress?: Progress;
}

/** The output of a `git` run. */
export interface GitOutput {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Characters kept of the output of `git`: room for about a million refs. */
const keptMax = 64_000_000;
/** Lines of its last output that an error shows. */
const linesShown = 6;

/** Matches lines such as `Receiving objects:  45% (9/20), 1.2 MiB | 3.4 MiB/s`. */
const progressLine = /^(?:remote: )?[A-Z][\w ]+: +\d/;

/** Variables with which a caller, such as a Git hook, would point `git` at another repository. */
const ofAnotherRepository =
  /^GIT_(?:DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|(?:ALTERNATE_)?OBJECT_DIRECTOR(?:Y|IES)|COMMON_DIR|NAMESPACE|CONFIG.*|PREFIX|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|QUARANTINE_PATH)$/;

/**
 * Runs the `git` program. The environment carries the credential, limited to its remote: other users can see arguments.
 * `git` speaks only HTTP, never prompts for a password and runs no hooks, regardless of the remote's reply. A signal to
 * this process ends `git`, so that the caller can still clean up.
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
        // Keeps the received pack as one file, even a small one.
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
    // A separate process group, so that one signal ends all of it.
    detached: true,
  });
  // A `git` that exits before it has read all input reports the reason itself.
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

/** Ends a program and its children, which would otherwise keep running. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader);
  } catch {
    // The whole group has already exited.
  }
}

/** Returns the last lines of output, for people. */
export function lastWords({ err }: GitOutput): string {
  const lines = err
    .split('\n')
    // Drops text that a terminal would have overwritten.
    .map((line) => line.replace(/^[^]*\r(?=.)/, ''))
    .filter((line) => line.trim() !== '' && !(progressLine.test(line) && line.trimEnd().endsWith('done.')));
  return lines
    .slice(-linesShown)
    .map((line) => `  ${shown(line)}`)
    .join('\n');
}

/** Passes configuration for one run through the environment of `git`. */
function configuration(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(pairs.length)],
    ...pairs.flatMap(([key, value], i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, value],
    ]),
  ]) as Record<string, string>;
}
