import * as nodeModule from 'node:module';
import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the process small (docs/decisions/0007-process-memory.md): compiled modules need no compiler in it, and
 * thousands of short-lived buffers must not wait for a young generation that grew to the machine's size. Deno has no
 * compile cache to ask for, and keeps one by itself; Bun takes the flags and makes nothing of them.
 */
export function keepLean(): void {
  if ('enableCompileCache' in nodeModule) nodeModule.enableCompileCache();
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--optimize-for-size');
}
