import type { WatchedPage } from './watched-page.ts';

/** Returns elements that overflow the window, and the page itself if it scrolls sideways (WCAG 1.4.10). */
export const findOverflow = ({ page }: WatchedPage): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const found = [...document.body.querySelectorAll('*')]
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        return left < -0.5 || right > clientWidth + 0.5;
      })
      .map((element) => element.outerHTML.slice(0, 200));
    return scrollWidth > clientWidth ? [...found, `the page: ${scrollWidth} pixels in ${clientWidth}`] : found;
  });
