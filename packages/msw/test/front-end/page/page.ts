import { createApiClient } from './api-client.ts';
import { createBanner } from './banner.ts';
import { find } from './dom.ts';
import { createPatiently } from './patiently.ts';
import { createRepoRow } from './repo-row.ts';
import { createSignIn } from './sign-in.ts';

/** Starts the page, whose elements are in `index.html`, with the API at a URL such as that of a mock. */
export async function startPage(apiUrl: string): Promise<void> {
  const banner = createBanner();
  const signIn = createSignIn();
  const patiently = createPatiently(banner, signIn);
  const api = createApiClient(apiUrl, signIn.token);
  const status = find(document, '#status', HTMLElement);
  const list = find(document, '#repos', HTMLElement);
  const more = find(document, '#more', HTMLButtonElement);
  const wanted = find(document, '#wanted', HTMLInputElement);
  const say = (text: string): void => void (status.textContent = text);
  let cursor = '';
  let turn = 0;

  /** Shows the next page of the filter's results. */
  async function load(): Promise<void> {
    const mine = ++turn;
    const filter = wanted.value.trim();
    const shown = list.childElementCount;
    list.setAttribute('aria-busy', 'true');
    say('Loading…');
    // Becomes false when another filter is requested.
    const isWanted = (): boolean => mine === turn;
    const page = await patiently(() => api.list(filter, cursor), isWanted);
    if (!isWanted()) return;
    list.setAttribute('aria-busy', 'false');
    more.hidden = page?.cursor === '';
    if (page === undefined) return say('Not all could be loaded.');
    cursor = page.cursor;
    list.append(...page.repos.map((repo) => createRepoRow(repo, api, patiently, say)));
    const count = list.childElementCount;
    const none = filter === '' ? 'There are no repositories yet.' : 'No repository has this tag.';
    say(
      count === 0
        ? none
        : `${count} ${count === 1 ? 'repository' : 'repositories'}${cursor === '' ? '' : ', and more'}.`,
    );
    if (shown > 0) list.children[shown]?.querySelector('h2')?.focus();
  }

  more.addEventListener('click', () => void load());
  find(document, '#filter', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    banner.hide();
    list.replaceChildren();
    cursor = '';
    more.hidden = true;
    void load();
  });

  await signIn.ask('Sign in', 'Your token is kept until you close this page.');
  await load();
}
