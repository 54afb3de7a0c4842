import type { GitEngine } from '@packhouse/git';
import { runtimeCollection } from './collect-garbage.ts';

export interface TrimOptions {
  readonly engine: Pick<GitEngine, 'admission'>;
  /** Runs one full collection. Default: that of the runtime, if it lets programs ask for one. */
  readonly collectGarbage?: (() => void) | undefined;
  /** Milliseconds between two looks. Default 10,000. */
  readonly period?: number;
}

/** Collections after the last request: the second one frees buffers whose owners the first one has found dead. */
const collectionsMax = 2;

/**
 * Returns memory to the system once no request has used the engine for a while: drops idle buffers and cached pages, and
 * collects garbage, which runtimes put off until somebody allocates (docs/decisions/0007). Idle means: no request
 * between two looks. Health checks do not count.
 */
export function trimWhenIdle({
  engine: { admission },
  collectGarbage = runtimeCollection('major'),
  period = 10_000,
}: TrimOptions): { readonly stop: () => void } {
  let seen = -1;
  let collections = 0;
  const timer = setInterval(() => {
    if (admission.opened !== seen || !admission.trim()) {
      seen = admission.opened;
      collections = 0;
    } else if (collections < collectionsMax) {
      collections++;
      collectGarbage?.();
    }
  }, period);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
