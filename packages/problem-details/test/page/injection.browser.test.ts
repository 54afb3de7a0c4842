import { englishLabels, renderHtml, renderMinimal, type ErrorReport, type Labels } from '@packhouse/problem-details';
import { fc, it as property } from '@fast-check/vitest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from './support/open-browser.ts';
import { pageReply } from './support/reply.ts';
import { reportOf } from './support/reports.ts';
import { openPage, type WatchedPage } from './support/watched-page.ts';

const attacks = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onfocus='alert(1)' autofocus='",
  '</title><script>alert(1)</script>',
  '</style><svg onload=alert(1)>',
  '<!--',
  ']]>',
  '</main></body></html>',
  '&lt;b&gt;&amp;&#60;script&#62;',
  '<meta http-equiv="refresh" content="0;url=/gone">',
  '<base href="https://evil.example/">',
  '[a](javascript:alert(1)) `b` <https://evil.example/>',
  '\u202Eevil\u2066',
  '\ud800',
  '<?php ?>',
  '<plaintext>',
];

const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
const value = fc
  .array(fc.oneof(fc.constantFrom(...attacks), fc.string({ maxLength: 5 }), unit), { maxLength: 5 })
  .map((parts) => parts.join(''));

const anyLabels: fc.Arbitrary<Labels> = fc.record(
  Object.fromEntries(Object.keys(englishLabels).map((name) => [name, value])) as Record<keyof Labels, typeof value>,
);

/** Arbitrary values for all members, regardless of other rules. */
const anyReport: fc.Arbitrary<ErrorReport> = fc
  .record({
    labels: anyLabels,
    language: value,
    short_name: value,
    problem: fc.record({
      title: value,
      detail: value,
      error_name: value,
      ray_id: value,
      timestamp: value,
      zone: value,
      // One paragraph without `**`: another test covers the markup of ERR-071.
      what_you_should_do: value.map((text) => `a${text.replaceAll(/[\r\n*]/g, '')}`),
      footer: value.map((text) => `a${text}`),
    }),
  })
  .map(({ problem, ...report }) => ({
    ...reportOf(522),
    ...report,
    problem: { ...reportOf(522).problem, ...problem },
  }));

/** Converts text as UTF-8 and the HTML parser do: no unpaired surrogates, one kind of line end, no U+0000. */
const asParsed = (text: string): string => text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll('\0', '');

/** In attributes and in `title`, U+0000 is replaced, not dropped. */
const asAttribute = (text: string): string => text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');

/** Returns the texts of the page by position. */
const read = ({ page }: WatchedPage): Promise<Record<string, string[]>> =>
  page.evaluate(() => {
    const texts = (selector: string): string[] =>
      [...document.querySelectorAll(selector)].map((element) => element.textContent ?? '');
    return {
      title: texts('title'),
      language: [document.documentElement.getAttribute('lang') ?? ''],
      heading: texts('h1'),
      site: texts('.site'),
      headings: texts('h2'),
      paragraphs: texts('.text > p'),
      wait: texts('.wait'),
      names: texts('.name'),
      states: texts('.state'),
      terms: texts('dt'),
      facts: texts('dd'),
      datetime: [document.querySelector('time')?.getAttribute('datetime') ?? ''],
      footer: texts('footer p'),
    };
  });

const expected = ({ problem, labels, language, short_name }: ErrorReport): Record<string, string[]> => {
  const zoned = problem.zone !== '';
  const texts: Record<string, string[]> = {
    heading: [`522 ${short_name}`],
    site: zoned ? [problem.zone] : [],
    headings: [labels.what_happened, labels.what_you_can_do, labels.who_is_responsible, labels.facts],
    paragraphs: [problem.detail, problem.what_you_should_do],
    wait: [`${labels.retry_after}: 120`],
    names: [labels.visitor, labels.platform, labels.owner],
    states: [labels.not_at_fault, labels.not_at_fault, labels.at_fault],
    terms: [labels.error_code, labels.error_name, labels.retry_after, labels.ray_id, labels.time].concat(
      zoned ? [labels.zone] : [],
    ),
    facts: ['522', problem.error_name, '120', problem.ray_id, problem.timestamp].concat(zoned ? [problem.zone] : []),
    footer: [problem.footer],
  };
  return {
    ...Object.fromEntries(Object.entries(texts).map(([place, values]) => [place, values.map(asParsed)])),
    title: [asAttribute(zoned ? `${problem.title} | ${problem.zone}` : problem.title)],
    language: [asAttribute(language)],
    datetime: [asAttribute(problem.timestamp)],
  };
};

const countElements = ({ page }: WatchedPage): Promise<number> =>
  page.evaluate(() => document.querySelectorAll('*').length);

describeInBrowser('markup in values', (stage) => {
  let watched: WatchedPage;
  const plain = { withZone: 0, withoutZone: 0 };
  beforeAll(async () => {
    watched = await openPage(stage());
    const problem = { ...reportOf(522).problem, what_you_should_do: 'a' };
    await watched.load(pageReply(renderHtml({ ...reportOf(522), problem })));
    plain.withZone = await countElements(watched);
    await watched.load(pageReply(renderHtml({ ...reportOf(522), problem: { ...problem, zone: '' } })));
    plain.withoutZone = await countElements(watched);
  });
  afterAll(() => watched.close());

  property.prop([anyReport], { numRuns: 60 })('ERR-067: any value stays text in every position', async (report) => {
    await watched.load(pageReply(renderHtml(report)));
    expect(await read(watched)).toEqual(expected(report));
    expect(await countElements(watched)).toBe(report.problem.zone === '' ? plain.withoutZone : plain.withZone);
    expect(watched.misdeeds()).toEqual([]);
  });

  it('ERR-067: stays text on a minimal page', async () => {
    for (const attack of attacks) {
      await watched.load(pageReply(renderMinimal({ status: 404, title: attack, detail: attack }, 'text/html', attack)));
      const { heading, site, title } = await read(watched);
      expect(heading).toEqual([`404 ${asParsed(attack)}`]);
      expect(site).toEqual([asParsed(attack)]);
      expect(title).toEqual([asAttribute(`404 ${attack} | ${attack}`)]);
      expect(await watched.page.locator('main > p').textContent()).toBe(asParsed(attack));
      expect(watched.misdeeds()).toEqual([]);
    }
  });

  property.prop([value], { numRuns: 30 })('ERR-071: guidance adds only its own elements', async (text) => {
    const report = reportOf(522);
    const guidance = `**${text}**\n\n- ${text}\n1. ${text}\n\n${text}`;
    await watched.load(
      pageReply(renderHtml({ ...report, problem: { ...report.problem, what_you_should_do: guidance } })),
    );
    const names = await watched.page
      .locator('section:nth-of-type(2) .text *')
      .evaluateAll((elements) => elements.map(({ localName }) => localName));
    expect(names.filter((name) => !['p', 'ul', 'ol', 'li', 'strong'].includes(name))).toEqual([]);
    expect(watched.misdeeds()).toEqual([]);
  });
});
