import { spawn } from 'node:child_process';
import type { GitOptions, GitResult } from '../core/context.ts';

/** Bytes of standard output that `git` may write; more is an error of the case. */
const outputMax = 268_435_456;
/** Bytes kept of standard error, from its end. */
const errorsKept = 262_144;

/** Variables of the caller's environment that `git` needs to run and to reach a service. */
const inherited = [
  'PATH',
  'TMPDIR',
  'SYSTEMROOT',
  'GIT_EXEC_PATH',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
];

/** Isolates `git` from the machine's configuration, the user and the date. */
const isolated: Readonly<Record<string, string>> = {
  HOME: '/nonexistent',
  LC_ALL: 'C',
  TZ: 'UTC',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Ada Example',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_AUTHOR_DATE: '1700000000 +0000',
  GIT_COMMITTER_NAME: 'Ada Example',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_COMMITTER_DATE: '1700000000 +0000',
};

/** Repositories of cases live for seconds: `git` need not maintain them, nor wait for the disk. */
const short: readonly string[] = ['maintenance.auto=false', 'core.fsync=none'];

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Runs stock `git` until it exits, or until `signal` aborts and kills it.
 *
 * @throws if it cannot be started or writes too much.
 */
export function runGit(
  args: readonly string[],
  options: GitOptions,
  environment: Environment,
  signal?: AbortSignal,
): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const passed = inherited.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    });
    const { shown, credentials } = apart(args);
    const child = spawn('git', shown, {
      cwd: options.cwd,
      env: { ...Object.fromEntries(passed), ...isolated, ...variablesOf([...short, ...credentials]), ...options.env },
      // A separate process group, so that the helpers of git can be killed with it.
      detached: true,
    });
    const out: Buffer[] = [];
    let written = 0;
    let errors = '';
    let ending: unknown;
    const stop = (reason: unknown): void => {
      ending ??= reason;
      try {
        process.kill(-(child.pid as number), 'SIGKILL');
      } catch {
        // The group never started, or has exited.
      }
    };
    const onAbort = (): void => stop(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      written += chunk.length;
      if (written > outputMax) stop(new Error(`git wrote more than ${outputMax} bytes`));
      else out.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-errorsKept);
    });
    child.on('error', reject);
    child.on('close', (status) => {
      signal?.removeEventListener('abort', onAbort);
      if (ending === undefined) resolve({ status: status ?? -1, stdout: Buffer.concat(out), stderr: errors });
      else reject(ending);
    });
    // A git that exits early stops reading; its exit status gives the reason.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}

/** Returns the arguments without options that carry a credential, for reports. */
export function shownCommand(args: readonly string[]): string {
  return ['git', ...apart(args).shown].join(' ');
}

/** Separates arguments from options that carry a credential. Returns the latter as settings, `name=value`. */
export function apart(args: readonly string[]): {
  readonly shown: readonly string[];
  readonly credentials: readonly string[];
} {
  const credentials: string[] = [];
  const shown = args.filter((arg, index) => {
    const isValue = args[index - 1] === '-c';
    const option = arg === '-c' ? args[index + 1] : isValue ? arg : undefined;
    if (option === undefined || !/^http\..*extraheader=/i.test(option)) return true;
    if (isValue) credentials.push(option);
    return false;
  });
  return { shown, credentials };
}

/**
 * Passes settings of `git` as variables, because all users can see arguments in the process list. git(1),
 * `GIT_CONFIG_COUNT`.
 */
function variablesOf(settings: readonly string[]): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {};
  settings.forEach((setting, i) => {
    const end = setting.indexOf('=');
    variables[`GIT_CONFIG_KEY_${i}`] = setting.slice(0, end);
    variables[`GIT_CONFIG_VALUE_${i}`] = setting.slice(end + 1);
  });
  return { ...variables, GIT_CONFIG_COUNT: String(settings.length) };
}
