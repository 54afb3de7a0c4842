import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { builtInEntries } from '../../src/catalogue/built-in.ts';
import { renderMarkdown } from '../../src/render/markdown.ts';
import { anyReport, anyZone, builtInEntry, describeEntry, reportOf } from './report.ts';

const specification = fileURLToPath(new URL('../../../../docs/specification/errors.md', import.meta.url));

/** Returns the example body of section 4, up to the closing fence. */
const example = (): string => {
  const section = readFileSync(specification, 'utf8').split('## 4. Markdown form\n')[1] ?? '';
  const start = section.indexOf('```\n') + 4;
  return section.slice(start, section.indexOf('\n```\n', start) + 1);
};

/** Returns the names in the frontmatter, in order. */
const namesIn = (markdown: string): string[] => {
  const lines = markdown.split('\n');
  return lines.slice(1, lines.indexOf('---', 1)).map((line) => line.slice(0, line.indexOf(':')));
};

/** Returns the text after the frontmatter. */
const textOf = (markdown: string): string => markdown.slice(markdown.indexOf('\n---\n') + 5);

describe('renderMarkdown', () => {
  it('ERR-053: equals the body of the specification byte for byte', () => {
    expect(example()).toMatch(/^---\nerror_code: 522\n/);
    expect(renderMarkdown(reportOf(522))).toBe(example());
  });

  it('ERR-053: omits only the line `retry_after` if the error is not retryable', () => {
    const lines = renderMarkdown(reportOf(1020)).split('\n');
    expect(lines.slice(8, 11)).toEqual(['platform_error: true', 'retryable: false', 'owner_action_required: true']);
  });

  it('ERR-053: has the members of an own code after `what_you_should_do`', () => {
    const entry = { ...builtInEntry(522), code: 2000 };
    const extensions = { x_text: 'a "b"\n---\n', x_count: 3, x_flag: false, x_word: 'yes', x_digits: '12' };
    const lines = renderMarkdown(describeEntry(entry, { extensions })).split('\n');
    expect(lines.slice(13, 20)).toEqual([
      String.raw`x_text: "a \"b\"\n---\n"`,
      'x_count: 3',
      'x_flag: false',
      'x_word: "yes"',
      'x_digits: "12"',
      '---',
      '',
    ]);
  });

  it('ERR-053: has the marker once, even if its name is like a member of an own code', () => {
    const report = reportOf(522);
    const problem = { ...report.problem, x_failed: true };
    expect(renderMarkdown({ ...report, marker: 'x_failed', problem }).match(/^x_failed: true$/gm)).toHaveLength(1);
  });

  property.prop([anyReport])('ERR-053: ends lines with LF and the body with one, if the texts do', (report) => {
    const { problem } = report;
    const body = renderMarkdown(report);
    expect(body.endsWith(`\n\n---\n${problem.footer}\n`)).toBe(true);
    expect(textOf(body)).toBe(
      `\n# ${problem.title}\n\n## What Happened\n\n${problem.detail}\n\n## What You Should Do\n\n${problem.what_you_should_do}\n\n---\n${problem.footer}\n`,
    );
  });

  it('ERR-054: has in the frontmatter `status` and the extension members except `footer`', () => {
    expect(namesIn(renderMarkdown(reportOf(522)))).toEqual([
      'error_code',
      'error_name',
      'error_category',
      'status',
      'ray_id',
      'timestamp',
      'zone',
      'platform_error',
      'retryable',
      'retry_after',
      'owner_action_required',
      'what_you_should_do',
    ]);
  });

  it('ERR-055: omits the guidance only from the frontmatter, by option', () => {
    const guidance = builtInEntry(522).what_you_should_do;
    const body = renderMarkdown(reportOf(522), { guidanceMember: false });
    expect(body).toBe(example().replace(`what_you_should_do: "${guidance}"\n`, ''));
    expect(body).toContain(`\n${guidance}\n`);
  });

  property.prop([anyZone, anyZone])('ERR-061: the text does not depend on zone and ray id', (zone, rayId) => {
    for (const code of [522, 1015, 1020])
      expect(textOf(renderMarkdown(reportOf(code, { zone, rayId })))).toBe(textOf(renderMarkdown(reportOf(code))));
  });

  it('ERR-061: the text of no built-in code holds zone, ray id or time', () => {
    for (const { code } of builtInEntries)
      expect(textOf(renderMarkdown(reportOf(code)))).not.toMatch(/2shop|9184027733651048|07:41/);
  });
});
