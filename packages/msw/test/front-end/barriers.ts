import axe from 'axe-core';
import type { Page } from 'playwright-core';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Returns what axe-core reports about the page: rules of WCAG 2.2 A and AA, and best practices. */
export function findBarriers(page: Page): Promise<readonly string[]> {
  return find(page, { type: 'tag', values: rules }, 15);
}

/** Returns texts with too little contrast. No other rule depends on colours. */
export function findFaint(page: Page): Promise<readonly string[]> {
  return find(page, { type: 'rule', values: ['color-contrast'] }, 1);
}

/** Runs axe-core, and requires that at least `least` rules find an element to check. */
async function find(page: Page, runOnly: axe.RunOnly, least: number): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const [found, passes] = await page.evaluate(
    async (options) => {
      const { axe: inPage } = globalThis as unknown as { readonly axe: Pick<typeof axe, 'run'> };
      const { passes, violations, incomplete } = await inPage.run(document, options);
      const all = [...violations, ...incomplete].flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
      return [all, passes.length] as const;
    },
    { runOnly },
  );
  return passes < least ? [...found, 'axe-core looked at next to nothing'] : found;
}

/** Returns elements that overflow the window (WCAG 1.4.10). */
export function findOverflow(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { clientWidth } = document.documentElement;
    return [...document.body.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      .map((element) => element.outerHTML.slice(0, 200));
  });
}
