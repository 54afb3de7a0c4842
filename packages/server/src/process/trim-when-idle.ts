import type { GitEngine } from '@packhouse/git';
import { runtimeCollection } from './collect-garbage.ts';

export interface TrimOptions {
  readonly engine: Pick<GitEngine, 'admission'>;
  /** Runs one full garbage collection. Default: the runtime's, if it exposes one. */
  readonly collectGarbage?: (() => void) | undefined;
  /** Milliseconds between two checks. Default 10,000. */
  readonly period?: number;
}

/** Collections after the last request. The second one frees buffers whose owners the first one found dead. */
const collectionsMax = 2;

/**
 * Returns memory to the system while the engine is idle: drops idle buffers and cached pages, and collects garbage.
 * Runtimes postpone that until code allocates again (docs/decisions/0007). The engine is idle if no request used it
 * between two checks. Health checks do not count.
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
