/** The visible state of the page. */
export interface Seen {
  readonly status: string;
  readonly loading: boolean;
  /** Tags by repo name. */
  readonly repos: Readonly<Record<string, readonly string[]>>;
  /** True if there is a button for more. */
  readonly more: boolean;
  readonly problem: {
    readonly title: string;
    readonly advice: string;
    readonly code: string | null;
    readonly rayId: string | null;
    /** Seconds until the next attempt. */
    readonly seconds: number | null;
    /** True if there is a button to try again. */
    readonly again: boolean;
  } | null;
  readonly signIn: { readonly title: string; readonly why: string } | null;
  /** The text or label of the focused element. */
  readonly focus: string;
  /** The content of the focused field. */
  readonly typed: string | null;
}

/** Reads the visible state in any DOM. It refers to nothing outside itself, so that it can be sent to a browser. */
export function look(): Seen {
  const isShown = (element: Element): boolean =>
    element.closest('[hidden]') === null && (!('checkVisibility' in element) || element.checkVisibility());
  const all = (selector: string, within: ParentNode = document): readonly Element[] =>
    [...within.querySelectorAll(selector)].filter(isShown);
  const text = (selector: string, within: ParentNode = document): string | null =>
    all(selector, within)[0]?.textContent?.trim() ?? null;
  const repos = all('#repos > li').map((row): [string, string[]] => [
    text('h2', row) ?? '',
    all('li', row).map((tag) => tag.textContent),
  ]);
  const [banner] = all('#banner');
  const [signIn] = all('#sign-in');
  const seconds = /\d+/.exec((banner && text('[role=timer]', banner)) ?? '')?.[0];
  const focused = document.activeElement;
  return {
    status: text('#status') ?? '',
    loading: document.querySelector('#repos[aria-busy=true]') !== null,
    repos: Object.fromEntries(repos),
    more: all('#more').length > 0,
    problem: banner
      ? {
          title: text('[role=alert] h2', banner) ?? '',
          advice: text('[role=alert] p', banner) ?? '',
          code: text('.code', banner),
          rayId: text('.ray', banner),
          seconds: seconds === undefined ? null : Number(seconds),
          again: all('#again').length > 0,
        }
      : null,
    signIn: signIn ? { title: text('h2', signIn) ?? '', why: text('p', signIn) ?? '' } : null,
    focus: focused?.getAttribute('aria-label') ?? focused?.textContent?.trim() ?? '',
    typed: focused instanceof HTMLInputElement ? focused.value : null,
  };
}
