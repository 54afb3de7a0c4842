import { copyOf, find } from './dom.ts';
import type { Failure } from './failure.ts';

/** Reports failures below the content, so that nothing moves. */
export interface Banner {
  /** Resolves to whether to retry: as the visitor decides, or true after a delay in milliseconds. */
  ask(failure: Failure, delay: number | undefined): Promise<boolean>;
  /** Hides the banner, or only this failure: another one may have replaced it. */
  hide(failure?: Failure): void;
}

export function createBanner(): Banner {
  const root = document.documentElement;
  const banner = find(document, '#banner', HTMLElement);
  const alert = find(banner, '[role=alert]', HTMLElement);
  const timer = find(banner, '[role=timer]', HTMLElement);
  const main = find(document, 'main', HTMLElement);
  /** The focused element before the failure. */
  let before: HTMLElement | undefined;
  let shown: Failure | undefined;
  let answer = (_again: boolean): void => {};
  const again = find(banner, '#again', HTMLButtonElement);
  again.addEventListener('click', () => answer(true));
  find(banner, '#dismiss', HTMLButtonElement).addEventListener('click', () => hide());

  function hide(failure = shown): void {
    if (failure !== shown) return;
    if (banner.contains(document.activeElement)) (before?.isConnected ? before : main).focus();
    banner.hidden = true;
    root.style.scrollPaddingBlockEnd = '';
    answer(false);
  }

  return {
    hide,
    ask(failure, delay) {
      answer(false);
      shown = failure;
      const focused = document.activeElement;
      if (focused instanceof HTMLElement && !banner.contains(focused)) before = focused;
      banner.hidden = false;
      again.hidden = failure.kind === 'refused';
      alert.replaceChildren(describe(failure));
      return new Promise((resolve) => {
        const end = Date.now() + (delay ?? 0);
        const tick = (): void => {
          const seconds = Math.ceil((end - Date.now()) / 1000);
          timer.textContent = seconds > 0 ? `Trying again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.` : '';
          if (seconds <= 0 && delay !== undefined) answer(true);
        };
        const ticking = setInterval(tick, 1000);
        answer = (again) => {
          answer = () => {};
          clearInterval(ticking);
          timer.textContent = again ? 'Trying again…' : '';
          resolve(again);
        };
        tick();
        // Keeps the focused element from being covered.
        root.style.scrollPaddingBlockEnd = `${banner.offsetHeight + 16}px`;
        document.activeElement?.scrollIntoView({ block: 'nearest' });
      });
    },
  };
}

function describe({ title, advice, code, rayId }: Failure): DocumentFragment {
  const problem = copyOf('#problem');
  find(problem, 'h2', HTMLElement).textContent = title;
  find(problem, 'p', HTMLElement).append(
    ...advice.split('**').map((text, index) => {
      if (index % 2 === 0) return text;
      const strong = document.createElement('strong');
      strong.textContent = text;
      return strong;
    }),
  );
  find(problem, '.code', HTMLElement).textContent = code;
  find(problem, '.ray', HTMLElement).textContent = rayId;
  if (code === '') find(problem, 'dl', HTMLElement).remove();
  return problem;
}
