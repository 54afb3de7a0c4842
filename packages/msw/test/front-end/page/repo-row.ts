import type { ApiClient, Repo, Tagged, Tags } from './api-client.ts';
import { copyOf, find } from './dom.ts';
import type { Patiently } from './patiently.ts';

/** Creates the row of a repo, in which tags can be added and removed. `say` announces changes. */
export function createRepoRow(
  repo: Repo,
  api: ApiClient,
  patiently: Patiently,
  say: (text: string) => void,
): DocumentFragment {
  const row = copyOf('#repo');
  const list = find(row, 'ul', HTMLElement);
  const input = find(row, 'input', HTMLInputElement);
  find(row, 'h2', HTMLElement).textContent = repo.name;
  find(row, 'p', HTMLElement).textContent = repo.description;
  list.setAttribute('aria-label', `Tags of ${repo.name}`);
  input.setAttribute('aria-label', `New tag of ${repo.name}`);
  find(row, 'button', HTMLButtonElement).setAttribute('aria-label', `Add tag to ${repo.name}`);
  let known: Tagged = repo;

  async function change(done: string, make: (tags: Tags) => Tags): Promise<boolean> {
    const changed = await patiently(() => api.changeTags(repo.id, known, make));
    if (changed === undefined) return false;
    known = changed;
    showTags();
    say(done);
    // The button that was pressed may be gone.
    input.focus();
    return true;
  }

  function showTags(): void {
    const entries = Object.entries(known.tags).sort(([one], [other]) => (one < other ? -1 : 1));
    list.replaceChildren(
      ...entries.map(([key, value]) => {
        const item = document.createElement('li');
        const button = document.createElement('button');
        button.type = 'button';
        button.setAttribute('aria-label', `Remove ${key} from ${repo.name}`);
        button.addEventListener('click', () => {
          void change(`Removed ${key} from ${repo.name}.`, ({ [key]: _, ...rest }) => rest);
        });
        item.append(value === '' ? key : `${key}=${value}`, button);
        return item;
      }),
    );
  }

  find(row, 'form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const [key = '', ...value] = input.value.trim().split('=');
    void change(`Added ${key} to ${repo.name}.`, (tags) => ({ ...tags, [key]: value.join('=') })).then((done) => {
      if (done) input.value = '';
    });
  });
  showTags();
  return row;
}
