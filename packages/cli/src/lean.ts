import * as nodeModule from 'node:module';
import { setFlagsFromString } from 'node:v8';

/** For V8: thousands of short-lived buffers must not wait for a young generation that grew to the machine's size. */
export const leanFlags: readonly string[] = ['--semi-space-growth-factor=1', '--optimize-for-size'];

/**
 * Keeps the process small (docs/decisions/0007-process-memory.md): flags of V8, and modules kept compiled, which need no
 * compiler in it. Deno keeps them by itself and heeds the flags only on its command line; Bun has no V8.
 */
export function keepLean(): void {
  if ('enableCompileCache' in nodeModule) nodeModule.enableCompileCache();
  for (const flag of leanFlags) setFlagsFromString(flag);
}
