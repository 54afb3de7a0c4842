import axe from 'axe-core';
import type { Page } from 'playwright-core';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe-core finds wrong with the page as it is: rules of WCAG 2.2 A and AA, and best practices. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return await page.evaluate(async (values) => {
    const { axe: inPage } = globalThis as unknown as { readonly axe: Pick<typeof axe, 'run'> };
    const { passes, violations, incomplete } = await inPage.run(document, { runOnly: { type: 'tag', values } });
    const found = [...violations, ...incomplete].flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    return passes.length < 15 ? [...found, 'axe-core looked at next to nothing'] : found;
  }, rules);
}

/** Elements that stick out of the window (WCAG 1.4.10). */
export function findOverflow(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { clientWidth } = document.documentElement;
    return [...document.body.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      .map((element) => element.outerHTML.slice(0, 200));
  });
}
