import { find } from './dom.ts';

/** Asks for a token, and keeps it while the page is open. */
export interface SignIn {
  token(): string;
  /** Replaces the content by the form. Resolves when there is a token. */
  ask(title: string, why: string): Promise<void>;
}

export function createSignIn(): SignIn {
  const form = find(document, '#sign-in', HTMLFormElement);
  const input = find(form, 'input', HTMLInputElement);
  const others = find(document, '#signed-in', HTMLElement);
  let token = '';
  let asked: Promise<void> | undefined;
  let done = (): void => {};

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    token = input.value.trim();
    input.value = '';
    show(false);
    asked = undefined;
    done();
  });

  function show(shown: boolean): void {
    form.hidden = !shown;
    others.hidden = shown;
  }

  return {
    token: () => token,
    ask(title, why) {
      asked ??= new Promise((resolve) => {
        done = resolve;
        find(form, 'h2', HTMLElement).textContent = title;
        find(form, 'p', HTMLElement).textContent = why;
        show(true);
        input.focus();
      });
      return asked;
    },
  };
}
