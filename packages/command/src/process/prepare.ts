import { writeSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { exitCodes } from '../output/cli-error.ts';

/** The oldest Node that the commands run on (`engines` of their manifests). */
const oldest = [22, 13] as const;

/**
 * Prepares the process for a command, before it imports anything else: an older Node would fail on other imports with a
 * stack trace, so this ends the process with a sentence.
 */
export function prepareProcess(): void {
  // Deno and Bun report an emulated Node version.
  const tooOld = 'Deno' in globalThis || 'Bun' in globalThis ? '' : nodeTooOld(process.versions.node);
  if (tooOld !== '') {
    writeSync(2, tooOld);
    process.exit(exitCodes.start);
  }
  // Later starts skip the compiler (docs/decisions/0007). Some runtimes lack this function.
  if ('enableCompileCache' in nodeModule) nodeModule.enableCompileCache();
}

/** Returns the error and the hint for a Node that is too old, else an empty text. */
export function nodeTooOld(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return '';
  return `error: this program needs Node ${oldest.join('.')} or later, and this is Node ${version}.\nhint: https://nodejs.org has the current one.\n`;
}
