import type { Page } from 'playwright-core';
import { look } from './look.ts';
import type { Visitor } from './scenarios.ts';

/** A visitor with a mouse and a keyboard. The clock of the page is installed. */
export function visitorInChromium(page: Page): Visitor {
  return {
    look: () => page.evaluate(look),
    press: (button) => page.getByRole('button', { name: button, exact: true }).click(),
    async enter(field, text) {
      const input = page.getByLabel(field, { exact: true });
      await input.click();
      await input.fill('');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    },
    pass: (seconds) => page.clock.runFor(seconds * 1000),
  };
}
