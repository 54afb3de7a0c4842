import { renderHtml, renderMinimal } from '@packhouse/problem-details';
import { sampleOf } from '@packhouse/fixtures';
import { expect, it } from 'vitest';
import { findBarriers } from './support/accessibility.ts';
import { findFaint } from './support/contrast.ts';
import { findOverflow } from './support/layout.ts';
import { describeInBrowser } from './support/open-browser.ts';
import { pageReply } from './support/reply.ts';
import { arabicReport, chosenCodes, longestZone, ownReport, reportOf } from './support/reports.ts';
import { openPage, type View, type WatchedPage } from './support/watched-page.ts';

const pages: Readonly<Record<string, string>> = {
  ...Object.fromEntries(chosenCodes.map((code) => [code, renderHtml(reportOf(code))])),
  'the longest zone': renderHtml(reportOf(522, { zone: longestZone, rayId: 'd'.repeat(16) })),
  'no zone': renderHtml(reportOf(522, { zone: '' })),
  'an own code': renderHtml(ownReport),
  Arabic: renderHtml(arabicReport),
  'a minimal reply': renderMinimal(
    { status: 404, title: 'Not Found', detail: 'There is nothing at this address.' },
    'text/html',
    longestZone,
  ),
};

const views: Readonly<Record<string, View>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'forced colours': { forcedColors: 'active' },
  'dark forced colours': { forcedColors: 'active', colorScheme: 'dark' },
  'a tablet': { viewport: { width: 768, height: 1024 } },
  '320 pixels': { viewport: { width: 320, height: 640 } },
  '320 pixels, dark': { viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
  // A window of 1280 by 1024, enlarged four times (WCAG 1.4.10).
  '400 % zoom': { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 },
  print: { viewport: { width: 794, height: 1123 }, media: 'print' },
  'print of a dark page': { viewport: { width: 794, height: 1123 }, media: 'print', colorScheme: 'dark' },
};

/** Returns the view that the page sees, so that the test cannot confuse views. */
const viewOf = ({ page }: WatchedPage): Promise<Required<View>> =>
  page.evaluate(() => ({
    media: matchMedia('print').matches ? 'print' : 'screen',
    colorScheme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
    forcedColors: matchMedia('(forced-colors: active)').matches ? 'active' : 'none',
    viewport: { width: innerWidth, height: innerHeight },
    deviceScaleFactor: devicePixelRatio,
  }));

const expectedView = (view: View): Required<View> => ({
  media: 'screen',
  colorScheme: 'light',
  forcedColors: 'none',
  viewport: { width: 1280, height: 800 },
  deviceScaleFactor: 1,
  ...view,
});

describeInBrowser('the page in every view', (stage) => {
  for (const [turn, [name, view]] of Object.entries(views).entries()) {
    it(`ERR-069: ${name}: accessible, with contrast, without sideways scrolling, quiet`, async () => {
      const watched = await openPage(stage(), view);
      // In a sample, each page is in some views, and each view has some pages.
      for (const html of sampleOf(Object.values(pages), 3, turn)) {
        await watched.load(pageReply(html));
        expect(await viewOf(watched)).toEqual(expectedView(view));
        expect(await findBarriers(watched)).toEqual([]);
        expect(await findFaint(watched)).toEqual([]);
        expect(await findOverflow(watched)).toEqual([]);
        expect(watched.misdeeds()).toEqual([]);
      }
      await watched.close();
    });
  }

  it('ERR-069: text twice as large, and spaced as WCAG 1.4.12 says, still fits 320 pixels', async () => {
    const watched = await openPage(stage(), { viewport: { width: 320, height: 640 } });
    for (const html of Object.values(pages)) {
      await watched.load(pageReply(html));
      await watched.page.evaluate(() => {
        document.documentElement.style.fontSize = '200%';
        for (const { style } of document.body.querySelectorAll<HTMLElement>('*')) {
          style.lineHeight = '1.5';
          style.letterSpacing = '0.12em';
          style.wordSpacing = '0.16em';
        }
      });
      expect(await findOverflow(watched)).toEqual([]);
    }
    await watched.close();
  });

  it('ERR-069: these tests detect a page that overflows, is faint or is not accessible', async () => {
    const watched = await openPage(stage(), { viewport: { width: 320, height: 640 } });
    await watched.load(pageReply(pages['522'] ?? ''));
    await watched.page.evaluate(() => {
      const footer = document.querySelector('footer');
      if (footer === null) return;
      footer.style.color = '#ccc';
      footer.style.width = '400px';
    });
    expect((await findFaint(watched)).join()).toMatch(/^P This error was.* is 1\.\d\d$/);
    expect((await findOverflow(watched)).join()).toMatch(/^<footer.*the page: \d+ pixels in 320$/s);
    expect((await findBarriers(watched)).join()).toContain('color-contrast: <p>This error');
    await watched.close();
  });
});
