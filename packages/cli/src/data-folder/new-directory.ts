import { mkdirSync, readdirSync } from 'node:fs';
import { CliError } from '@packhouse/command';

/** Demands that the target is free: `rename` replaces an empty directory, and nothing else. */
export function demandFree(target: string): void {
  let inIt: readonly string[] = [];
  try {
    inIt = readdirSync(target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw unusable(target, error);
  }
  if (inIt.length > 0) {
    throw new CliError('usage', `There is something in ${target} already.`, 'Name a directory that is new or empty.');
  }
}

/** @throws {CliError} if it exists or cannot be made. */
export function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory);
  } catch (error) {
    throw unusable(directory, error);
  }
}

function unusable(path: string, error: unknown): CliError {
  const reason = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
  return new CliError(
    'usage',
    `${path} cannot be made (${reason}).`,
    'Name a directory in a folder that you may write to.',
    {
      cause: error,
    },
  );
}
