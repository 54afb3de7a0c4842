import { areaOf } from '../../core/area.ts';
import type { CaseResult, Failure, Status } from '../../report/report.ts';
import { cutLines } from '../../report/visible.ts';
import { escapeAttribute, escapeText } from './escape.ts';
import { lineDiff } from './line-diff.ts';
import { commandHtml, stepsHtml } from './steps.ts';

/** Characters of the texts of a case that the filter by text finds. */
const findMax = 600;

/** Returns a case to open. Its summary says what it is about, its body what happened. */
export function caseHtml(result: CaseResult, rerun: string, origin: string): string {
  const { id, status, requirements, level, explanation, reason, failure, evidence, seed, milliseconds, known } = result;
  const find = `${id} ${explanation} ${reason ?? ''} ${failure?.message ?? ''}`.toLowerCase().slice(0, findMax);
  const data = { status, area: areaOf(result), requirements: requirements.join(' '), find };
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeAttribute(value)}"`);
  const links = requirements.map((one) => `<a href="#?requirement=${encodeURIComponent(one)}">${escapeText(one)}</a>`);
  return `<details class="case ${status}" id="case/${escapeAttribute(id)}"${attributes.join('')}><summary><span><span class="vh">${status}: </span><code class="id">${escapeText(id)}</code>${known === undefined ? '' : ' (known)'}</span><span class="quiet">${escapeText(explanation)}</span></summary><div class="body">
<p>${level}: ${links.join(', ')}. Took ${milliseconds} ms with the seed ${seed}. <a href="#case/${escapeAttribute(encodeURI(id))}">Link to this case</a></p>
${known === undefined ? '' : `<h4>A known deviation</h4><p>${escapeText(known)}</p>`}${reason === null ? '' : `<h4>${reasonHeadings[status]}</h4><pre>${escapeText(cutLines(reason, 60, 8000))}</pre>`}${failure === null ? '' : failureHtml(failure)}${
    status === 'pass' ? '' : `<h4>Run this case again</h4>${commandHtml(rerun)}`
  }${evidence === undefined ? '' : stepsHtml(evidence, origin)}</div></details>
`;
}

const reasonHeadings: Readonly<Record<Status, string>> = {
  pass: 'What was found',
  fail: 'Note',
  error: 'Note',
  unsupported: 'How the service says that it lacks this',
  beyond: 'What was found',
  skipped: 'Why it was skipped',
};

function failureHtml({ message, expected, seen, input, where }: Failure): string {
  const both = expected !== undefined && seen !== undefined;
  return [
    `<h4>What is wrong${where === null ? '' : ` (<code>${escapeText(where)}</code>)`}</h4>`,
    `<pre class="message" tabindex="0">${escapeText(both ? withoutDiff(message) : message)}</pre>`,
    both ? diffHtml(expected, seen) : '',
    input === undefined
      ? ''
      : `<details><summary>The smallest input that fails (${input.length} characters, made smaller ${input.shrinks} times; seed ${input.seed}, path ${escapeText(input.path)})</summary><pre tabindex="0">${escapeText(input.text)}</pre></details>`,
  ].join('');
}

/** Removes the difference that assertions of Node append: it has no colour, and is cut. */
function withoutDiff(message: string): string {
  const [first = ''] = message.split(/\n\+ actual - expected/);
  return first.replace(/\nExpected values to be [\w -]+:\s*$/, '').trimEnd();
}

function diffHtml(expected: string, seen: string): string {
  const lines = lineDiff(expected, seen).map(({ sign, text }) => {
    const kind = sign === '-' ? ' minus' : sign === '+' ? ' plus' : '';
    return `<span class="l${kind}">${sign} ${escapeText(text)}</span>`;
  });
  return `<h4>Expected (−) and seen (+)</h4><pre class="diff" tabindex="0">${lines.join('')}</pre>`;
}
