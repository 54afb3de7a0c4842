import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { reportForms, type CaseResult, type Report } from '@packhouse/conformance';
import { hostileReports, hostileTexts, reportOf } from '@packhouse/conformance/tools/hostile-report';
import { describeInBrowser, findBarriers, findFaint } from '@packhouse/fixtures/browser';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'packhouse-conformance-html-'));
const rerun = (id: string): string => `packhouse conformance run --only ${id}`;
const sample = hostileReports(40);
const failing = sample.flatMap(({ cases }) => cases.filter(({ failure }) => failure !== null));

/** A thousand cases, of which a hundred failed. */
const large: Report = reportOf(
  Array.from({ length: 1000 }, (_, index): CaseResult => {
    const id = `${index % 2 === 0 ? 'git' : 'rest'}/group-${index % 7}/number-${index}`;
    const facts = { requirements: [`GIT-${100 + (index % 50)}`], level: 'MUST', seed: 7, milliseconds: 5 } as const;
    const one = { id, ...facts, explanation: `Explains number ${index}.`, reason: null };
    const other = failing[index % failing.length] as CaseResult;
    if (index >= 100) return { ...one, status: 'pass', failure: null };
    return { ...other, ...one, status: index % 10 === 0 ? 'error' : 'fail' };
  }),
  hostileTexts.join(' '),
);
const input = { text: 'x'.repeat(1_000_000), length: 1_000_000, seed: 1, path: '0', shrinks: 2 };
const [first] = large.cases as [CaseResult];
const failure = { message: 'expected less', expected: 'a\nb', seen: 'a\nc', where: 'cases/x.ts:1', input };
const report: Report = { ...large, cases: [{ ...first, failure }, ...large.cases.slice(1)] };

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeInBrowser('the report as one HTML file', (browser) => {
  const opened: BrowserContext[] = [];
  afterEach(async () => {
    for (const context of opened.splice(0)) await context.close();
  });

  /** Opens a report from disk, and collects everything that it must not do. */
  async function open(
    shown: Report,
    { hash = '', width = 1280 }: { readonly hash?: string; readonly width?: number } = {},
  ): Promise<{ page: Page; misdeeds: string[]; url: string }> {
    const context = await browser().newContext({ viewport: { width, height: 900 } });
    opened.push(context);
    const page = await context.newPage();
    const file = join(folder, 'report.html');
    writeFileSync(file, reportForms.html(shown, rerun));
    const url = pathToFileURL(file).href;
    const misdeeds: string[] = [];
    page.on('console', (message) => misdeeds.push(`message: ${message.text()}`));
    page.on('pageerror', (error) => misdeeds.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => {
      misdeeds.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    context.on('request', (request) => {
      if (request.url().split('#')[0] !== url) misdeeds.push(`request: ${request.url()}`);
    });
    await page.goto(url + hash);
    return { page, misdeeds, url };
  }

  it('shows failures first, and filters by keyboard, with the state in the hash', async () => {
    const { page, misdeeds, url } = await open(report);
    const count = page.locator('#shown');
    await page.getByText('100 of 1000 cases').waitFor();
    await page.getByLabel('Text').focus();
    await page.keyboard.type('group-3');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Git');
    expect(await count.textContent()).toBe('7 of 1000 cases');
    expect(await page.locator('.case:visible').count()).toBe(7);
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate('document.activeElement.value')) === 'pass') break;
    }
    await page.keyboard.press('Space');
    expect(await count.textContent()).toBe('71 of 1000 cases');
    const hash = new URL(page.url()).hash;
    expect(hash).toBe('#?status=fail%2Cerror%2Cpass&area=git&text=group-3');

    const again = await open(report, { hash });
    expect(await again.page.locator('#shown').textContent()).toBe('71 of 1000 cases');
    await page.getByRole('button', { name: 'Reset the filters' }).press('Enter');
    await page.getByText('100 of 1000 cases').waitFor();
    expect(page.url()).toBe(url);
    await page
      .getByRole('link', { name: /GIT-101/ })
      .first()
      .press('Enter');
    await page.getByText('20 of 1000 cases').waitFor();
    expect([...misdeeds, ...again.misdeeds]).toEqual([]);
  });

  it('opens a case by its link, with the difference, the input and the command that repeats it', async () => {
    const { page, misdeeds } = await open(report, { hash: `#case/${first.id}` });
    const shown = page.locator('.case[open]');
    expect(await shown.locator('.diff').innerText()).toBe('  a\n- b\n+ c');
    expect(await shown.locator('.command pre').first().textContent()).toBe(rerun(first.id));
    await shown.getByText('The smallest input').press('Enter');
    expect((await shown.getByText('xxxxxxxx').textContent())?.length).toBe(1_000_000);
    // What is not shown by default is shown if a link leads to it.
    const passed = await open(report, { hash: `#case/${report.cases[999]?.id}` });
    expect(await passed.page.locator('.case[open]:visible').count()).toBe(1);
    expect([...misdeeds, ...passed.misdeeds]).toEqual([]);
  });

  it('has no barriers and enough contrast in light and dark, and fits a phone', async () => {
    const few = reportOf([{ ...first, failure }, ...failing.slice(0, 6), ...large.cases.slice(99, 103)]);
    const { page, misdeeds } = await open({ ...few, areas: large.areas }, { width: 320 });
    await page.getByRole('button', { name: 'Open all' }).click();
    for (const one of await page.locator('.step > details > summary').all()) await one.click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await findBarriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe('rgb(19, 20, 23)');
    expect(await findFaint(page)).toEqual([]);
    expect(misdeeds).toEqual([]);
  });

  it('texts of a hostile service make no element, request or message', async () => {
    const own = await (
      await open(reportOf([{ ...first, failure }]))
    ).page.evaluate('[...new Set([...document.querySelectorAll("*")].map(({ localName }) => localName))]');
    const cases = sample
      .flatMap((one) => one.cases)
      .map((one, index) => ({ ...one, id: `git/hostile/number-${index}` }));
    const leftBehind = sample.flatMap((one) => one.left_behind);
    const { page, misdeeds } = await open(reportOf(cases, hostileTexts.join(' '), leftBehind, true));
    const names = await page.evaluate(
      '[...new Set([...document.querySelectorAll("*")].map(({ localName }) => localName))]',
    );
    expect([...(own as string[]), 'i', 'li', 'ol', 'table', 'tr', 'td', 'p']).toEqual(
      expect.arrayContaining(names as string[]),
    );
    expect(await page.locator('script').count()).toBe(1);
    expect(misdeeds).toEqual([]);
  });

  it('JUnit and the badge are XML, for any texts of a service', async () => {
    const page = await browser().newPage();
    const texts = sample.flatMap((one) => [reportForms.junit(one, rerun), reportForms.badge(one, rerun)]);
    const faults = await page.evaluate(
      `(${JSON.stringify(texts)}).map((text) => new DOMParser().parseFromString(text, 'application/xml').querySelector('parsererror')?.textContent ?? '').filter((fault) => fault !== '')`,
    );
    expect(faults).toEqual([]);
    await page.close();
  });
});
