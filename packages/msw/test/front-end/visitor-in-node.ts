import { vi } from 'vitest';
import { look } from './look.ts';
import type { Visitor } from './scenarios.ts';

/** Returns the first visible element with this name. */
function named<E extends HTMLElement>(elements: Iterable<E>, name: string): E {
  for (const element of elements) {
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element.textContent?.trim();
    const called = element.getAttribute('aria-label') ?? label;
    if (called === name && element.closest('[hidden]') === null) return element;
  }
  throw new Error(`there is no ${JSON.stringify(name)} on the page`);
}

/** A visitor of the document of Vitest's environment, with its fake timers. */
export const visitorInNode: Visitor = {
  look: async () => look(),
  async press(button) {
    const pressed = named(document.querySelectorAll('button'), button);
    pressed.focus();
    pressed.click();
  },
  async enter(field, text) {
    const input = named(document.querySelectorAll('input'), field);
    input.focus();
    input.value = text;
    input.form?.requestSubmit();
  },
  async pass(seconds) {
    await vi.advanceTimersByTimeAsync(seconds * 1000);
  },
};
