import { englishLabels, type ErrorReport, renderHtml, renderMinimal } from '@packhouse/problem-details';
import { expect, it } from 'vitest';
import { describeInBrowser } from './support/open-browser.ts';
import { pageReply } from './support/reply.ts';
import { arabicReport, chosenCodes, longestZone, reportOf } from './support/reports.ts';
import { openPage, type WatchedPage } from './support/watched-page.ts';

/** Returns the centre of each party's drawing, from the left and the top. */
const chainOf = ({ page }: WatchedPage): Promise<{ x: number; y: number }[]> =>
  page.locator('.node').evaluateAll((nodes) =>
    nodes.map((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }),
  );

/** Returns the lines of the chain that miss the drawings of their parties by more than 10 pixels at either end. */
const strayLinks = ({ page }: WatchedPage): Promise<string[]> =>
  page.locator('.party:not(:last-child)').evaluateAll((parties) =>
    parties.flatMap((party) => {
      const style = getComputedStyle(party, '::after');
      const box = party.getBoundingClientRect();
      const line = {
        left: box.left + Number.parseFloat(style.left),
        top: box.top + Number.parseFloat(style.top),
        right: box.right - Number.parseFloat(style.right),
        bottom: box.bottom - Number.parseFloat(style.bottom),
      };
      const [one, other] = [party, party.nextElementSibling].map((end) =>
        end?.querySelector('.node')?.getBoundingClientRect(),
      );
      if (one === undefined || other === undefined) return ['a party without a drawing'];
      const below = other.top > one.bottom;
      const gaps = below
        ? [line.top - one.bottom, other.top - line.bottom]
        : [line.left - Math.min(one.right, other.right), Math.max(one.left, other.left) - line.right];
      const middle = below ? line.left - (one.left + one.right) / 2 : line.top - (one.top + one.bottom) / 2;
      return Math.abs(middle) <= 2 && gaps.every((gap) => gap >= -0.5 && gap <= 10) ? [] : [`${[middle, ...gaps]}`];
    }),
  );

/** Names that take several lines next to their drawings. */
const wordyReport: ErrorReport = {
  ...reportOf(522),
  labels: {
    ...englishLabels,
    visitor: 'You, who visit this site for the first time, or again after a long while',
    platform: 'The platform that carries all requests between you and the site of the owner',
    owner: 'The owner of the site, or whoever looks after its servers on the behalf of the owner',
  },
};

const pagesIn = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;

describeInBrowser('the page as it is laid out', (stage) => {
  it('ERR-063, ERR-064, ERR-068: is complete for screen readers', async () => {
    const watched = await openPage(stage());
    await watched.load(pageReply(renderHtml(reportOf(522))));
    expect(await watched.page.locator('body').ariaSnapshot()).toMatchSnapshot('an error');
    await watched.load(
      pageReply(
        renderMinimal({ status: 404, title: 'Not Found', detail: 'Nothing is here.' }, 'text/html', 'a.example'),
      ),
    );
    expect(await watched.page.locator('body').ariaSnapshot()).toMatchSnapshot('a minimal reply');
    await watched.close();
  });

  it('ERR-069: marks the failing party by shape and words, without relying on colour', async () => {
    const watched = await openPage(stage(), { forcedColors: 'active' });
    for (const [code, failing] of [
      [1015, 0],
      [500, 1],
      [522, 2],
    ] as const) {
      await watched.load(pageReply(renderHtml(reportOf(code))));
      const shapes = await watched.page
        .locator('.node')
        .evaluateAll((nodes) => nodes.map((node) => getComputedStyle(node).borderRadius));
      const words = await watched.page.locator('.state').allInnerTexts();
      expect(new Set(shapes).size).toBe(2);
      expect(shapes.filter((shape) => shape === shapes[failing])).toHaveLength(1);
      expect(words.filter((word) => word === words[failing])).toHaveLength(1);
    }
    await watched.close();
  });

  it('shows the chain horizontally on a wide screen and vertically on a narrow one', async () => {
    const wide = await openPage(stage());
    await wide.load(pageReply(renderHtml(reportOf(522))));
    const [visitor, platform, owner] = await chainOf(wide);
    expect(visitor?.y).toBe(platform?.y);
    expect(visitor?.x).toBeLessThan(platform?.x ?? 0);
    expect(platform?.x).toBeLessThan(owner?.x ?? 0);
    expect(await strayLinks(wide)).toEqual([]);
    await wide.close();
    const narrow = await openPage(stage(), { viewport: { width: 390, height: 844 } });
    await narrow.load(pageReply(renderHtml(reportOf(522))));
    const [first, second, third] = await chainOf(narrow);
    expect(first?.x).toBe(second?.x);
    expect(first?.y).toBeLessThan(second?.y ?? 0);
    expect(second?.y).toBeLessThan(third?.y ?? 0);
    expect(await strayLinks(narrow)).toEqual([]);
    await narrow.close();
  });

  it('joins the parties with lines, for names of any length', async () => {
    for (const width of [320, 390, 800, 1280]) {
      const watched = await openPage(stage(), { viewport: { width, height: 800 } });
      for (const report of [wordyReport, { ...wordyReport, language: 'ar' }]) {
        await watched.load(pageReply(renderHtml(report)));
        expect(await strayLinks(watched)).toEqual([]);
      }
      await watched.close();
    }
  });

  it('ERR-149: runs from right to left in such a language, except for names and numbers', async () => {
    const watched = await openPage(stage());
    await watched.load(pageReply(renderHtml(arabicReport)));
    const [visitor, , owner] = await chainOf(watched);
    expect(visitor?.x).toBeGreaterThan(owner?.x ?? 0);
    expect(await strayLinks(watched)).toEqual([]);
    const heading = await watched.page
      .locator('h2')
      .first()
      .evaluate((element) => {
        const { direction, textAlign } = getComputedStyle(element);
        return { lang: document.documentElement.lang, direction, textAlign };
      });
    expect(heading).toEqual({ lang: 'ar', direction: 'rtl', textAlign: 'start' });
    // Arabic letters join, so letter spacing would separate them.
    const spacing = await watched.page.locator('h1').evaluate((element) => getComputedStyle(element).letterSpacing);
    expect(spacing).toBe('normal');
    const exact = await watched.page
      .locator('dd .exact, time, bdi')
      .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).direction));
    expect(exact).toEqual(Array.from({ length: 7 }, () => 'ltr'));
    await watched.close();
  });

  it('ERR-069: breaks a long zone into lines instead of scrolling', async () => {
    const watched = await openPage(stage(), { viewport: { width: 320, height: 640 } });
    await watched.load(pageReply(renderHtml(reportOf(522, { zone: longestZone }))));
    const lines = await watched.page.locator('bdi').evaluate((element) => element.getClientRects().length);
    expect(lines).toBeGreaterThan(3);
    await watched.close();
  });

  it('prints black on white, even from a dark screen', async () => {
    const watched = await openPage(stage(), { media: 'print', colorScheme: 'dark' });
    await watched.load(pageReply(renderHtml(reportOf(522))));
    const colours = await watched.page.evaluate(() => {
      const { color, backgroundColor } = getComputedStyle(document.body);
      return { color, backgroundColor };
    });
    expect(colours).toEqual({ color: 'rgb(0, 0, 0)', backgroundColor: 'rgb(255, 255, 255)' });
    await watched.close();
  });

  it('prints each chosen code on one sheet', async () => {
    const watched = await openPage(stage(), { media: 'print' });
    for (const code of chosenCodes) {
      await watched.load(pageReply(renderHtml(reportOf(code))));
      expect(pagesIn(await watched.page.pdf({ format: 'A4' }))).toBe(1);
      expect(pagesIn(await watched.page.pdf({ format: 'Letter' }))).toBe(1);
    }
    await watched.load(pageReply(renderHtml(reportOf(522)).repeat(3)));
    expect(pagesIn(await watched.page.pdf({ format: 'A4' }))).toBeGreaterThan(1);
    await watched.close();
  });
});
