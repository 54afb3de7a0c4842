import {
  describeInBrowser,
  findBarriers,
  findFaint,
  findOverflow,
  serveFiles,
  type FileServer,
} from '@packhouse/fixtures/browser';
import type { Fault, Seed } from '@packhouse/msw';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openInChromium, type ChromiumPage } from './open-in-chromium.ts';
import { pageFiles } from './page-files.ts';
import type { Plain } from './scenarios.ts';

const long = 'a_key_without_a_place_to_break_it_on_the_screen_of_a_phone';
const seed: Plain = {
  repos: {
    notes: {},
    website: { description: 'What the shop shows to everybody who looks for it, in more words than a line has' },
    api: { description: 'The API of the shop' },
  },
  tags: [
    { repo: 'api', tags: { env: 'prod', team: 'core' } },
    { repo: 'website', tags: { archived: '', [long]: long } },
  ],
};
const signIn = async (page: Page): Promise<void> => {
  await page.getByLabel('Token').fill('secret');
  await page.keyboard.press('Enter');
};

/** The states of the page to check, each with the content that shows that it has been reached. */
const states: readonly {
  readonly name: string;
  readonly seed?: Plain;
  readonly faults?: readonly Fault<Seed>[];
  readonly go?: (page: Page) => Promise<void>;
  readonly shown: string;
}[] = [
  { name: 'signed out', shown: 'Your token is kept until you close this page.' },
  { name: 'repos', go: signIn, shown: '3 repositories.' },
  { name: 'nothing', seed: {}, go: signIn, shown: 'There are no repositories yet.' },
  { name: 'loading', faults: [{ kind: 'latency', milliseconds: 600_000 }], go: signIn, shown: 'Loading…' },
  { name: 'an error', faults: [{ kind: 'platform error', code: 1015 }], go: signIn, shown: 'Trying again in' },
  { name: 'no connection', faults: [{ kind: 'dropped connection' }], go: signIn, shown: 'No connection' },
];

describeInBrowser('how the page looks', (browser) => {
  let server: FileServer;
  let opened: ChromiumPage;
  beforeAll(async () => {
    server = await serveFiles(await pageFiles());
  });
  afterEach(() => opened.close());
  afterAll(() => server.close());

  it.each(states)('$name: has no barriers, in light and dark, and fits a phone', async (state) => {
    opened = await openInChromium(browser(), {});
    const { page } = opened;
    await opened.load(server.origin, state.seed ?? seed, state.faults ?? []);
    await state.go?.(page);
    await page.getByText(state.shown).waitFor();
    const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    // The phone first: it has less room for touch targets.
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      // At the end of the page the banner covers no other element. axe-core cannot judge partly covered elements.
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      expect(await findOverflow(page)).toEqual([]);
      if (width === 320) expect(await findBarriers(page)).toEqual([]);
    }
    expect(await ground()).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await ground()).toBe('rgb(23, 24, 27)');
    expect(await findFaint(page)).toEqual([]);
    expect(opened.misdeeds()).toEqual([]);
  });

  it('nothing moves when an error appears and disappears, and the focused element stays visible', async () => {
    opened = await openInChromium(browser(), { viewport: { width: 320, height: 640 } });
    const { page } = opened;
    await opened.load(server.origin, seed, [{ kind: 'platform error', code: 522, method: 'PUT' }]);
    await signIn(page);
    const places = (): Promise<readonly number[]> =>
      page
        .locator('#status, #repos > li')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top + scrollY));
    await page.getByText('3 repositories.').waitFor();
    const before = await places();
    expect(before).toHaveLength(4);
    const input = page.getByLabel('New tag of website');
    await input.fill('env=test');
    await page.keyboard.press('Enter');
    await page.getByText('Error 522').waitFor();
    expect(await places()).toEqual(before);
    const gap = await page.evaluate(() => {
      const [focused, banner] = [document.activeElement, document.querySelector('#banner')];
      return (banner?.getBoundingClientRect().top ?? 0) - (focused?.getBoundingClientRect().bottom ?? Infinity);
    });
    expect(gap).toBeGreaterThan(0);
    const banner = await page.locator('#banner').boundingBox();
    expect((banner?.y ?? 0) + (banner?.height ?? Infinity)).toBeLessThan(640);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    expect(await page.getByText('Error 522').isVisible()).toBe(false);
    expect(await places()).toEqual(before);
  });

  it('can be used by keyboard, and shows the focus', async () => {
    opened = await openInChromium(browser(), {});
    const { page } = opened;
    const behind = await opened.load(
      server.origin,
      { ...seed, repos: { api: {} }, tags: seed.tags?.slice(0, 1) ?? [] },
      [{ kind: 'dropped connection', method: 'PUT', times: 1 }],
    );
    const stops: string[] = [];
    /** Presses Tab until an element has the focus. */
    const go = async (wanted: string): Promise<void> => {
      let name = '';
      for (let steps = 0; name !== wanted && steps < 12; steps++) {
        await page.keyboard.press('Tab');
        name = await page.evaluate(() => {
          const { activeElement: focused } = document;
          if (focused === null || getComputedStyle(focused).outlineStyle === 'none') return 'nothing that shows';
          return focused.getAttribute('aria-label') ?? (focused.textContent.trim() || focused.id);
        });
        stops.push(name);
      }
    };
    await page.keyboard.type('secret');
    await page.keyboard.press('Enter');
    await page.getByText('1 repository.').waitFor();
    await go('Remove env from api');
    await page.keyboard.press('Enter');
    await page.getByText('No connection').waitFor();
    await go('Try again');
    await page.keyboard.press('Space');
    await page.getByText('Removed env from api.').waitFor();
    await page.keyboard.type('env=test');
    await page.keyboard.press('Enter');
    await page.getByText('Added env to api.').waitFor();
    expect(await behind.tags()).toEqual({ 'default/api': { env: 'test', team: 'core' } });
    expect(stops).toEqual([
      'wanted',
      'Filter',
      'Remove env from api',
      'Remove team from api',
      'New tag of api',
      'Add tag to api',
      'Try again',
    ]);
  });
});
