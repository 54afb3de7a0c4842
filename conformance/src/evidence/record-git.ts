import type { GitResult } from '../core/context.ts';
import { endOf } from './body-copy.ts';
import { messageOf } from './record-http.ts';
import type { OpenGitStep, Recorder } from './recorder.ts';

/** Runs a `git` command by `run`, and records it with the ends of what it writes. `shown` are its public arguments. */
export async function recordGit(
  recorder: Recorder,
  { shown, credentials }: { readonly shown: readonly string[]; readonly credentials: readonly string[] },
  run: () => Promise<GitResult>,
): Promise<GitResult> {
  const step: OpenGitStep = {
    kind: 'git',
    at: recorder.now(),
    arguments: shown,
    credential: credentials.length > 0,
    milliseconds: null,
    status: null,
    stdout: null,
    stderr: null,
    error: null,
  };
  recorder.add(step);
  try {
    const result = await run();
    step.milliseconds = recorder.now() - step.at;
    step.status = result.status;
    step.stdout = endOf(result.stdout);
    step.stderr = endOf(Buffer.from(result.stderr));
    return result;
  } catch (error) {
    step.error = messageOf(error);
    throw error;
  }
}
