import { createHash } from 'node:crypto';
import { areaName, byArea } from '../../report/areas.ts';
import type { CaseResult, Report, Status } from '../../report/report.ts';
import { countsText, outcomeText } from '../../report/summary.ts';
import { caseHtml } from './case.ts';
import { escapeAttribute, escapeText } from './escape.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/** The sections of the page, the most important first. */
const order: readonly Status[] = ['fail', 'error', 'unsupported', 'beyond', 'pass', 'skipped'];

const headings: Readonly<Record<Status, string>> = {
  fail: 'Failed: the service does something else',
  error: 'Broke: the case could not find out',
  unsupported: 'Unsupported: optional, and the service says that it lacks it',
  beyond: 'Beyond: not expected of this target',
  pass: 'Passed',
  skipped: 'Skipped: something was not there that the case needs',
};

/** Returns a report as one HTML file. It opens from disk, and its policy forbids every request. */
export function htmlReport(report: Report, rerun: (id: string) => string): string {
  const { target } = report;
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeAttribute(`Conformance of ${target.name}: ${outcomeText(report)}`)}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#cases">Skip to the cases</a>
${headerHtml(report)}
<main>
${areasHtml(report)}
${requirementsHtml(report)}
${casesHtml(report, rerun)}
${leftBehindHtml(report)}
</main>
<footer><p>In commands, <code>$CONFORMANCE_API_TOKEN</code> and its like are variables of your shell; this file has no tokens. Short URLs are below the origin of the service. <code>$REPO_TOKEN</code> stands for a token that the case made. The suite deletes its repositories, so make a new one before you repeat a single request, or run the whole case again.</p></footer>
<script>${script}</script>
</body>
</html>
`;
}

function headerHtml(report: Report): string {
  const { counts, target, seed, prefix, started_at: started, milliseconds } = report;
  const ran = counts.pass + counts.fail + counts.error;
  const others = order.flatMap((status) =>
    status === 'pass' || counts[status] === 0 ? [] : [`${counts[status]} ${status}`],
  );
  const facts: readonly (readonly [string, string])[] = [
    ['Dialect', target.dialect],
    ...(target.account === '' ? [] : [['Account', target.account] as const]),
    ...(target.zone === null ? [] : [['Zone', target.zone] as const]),
    ['Cases', String(report.cases.length)],
    ['Requirements', countsText(report.requirements)],
    ['Started', started.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')],
    ['Duration', `${(milliseconds / 1000).toFixed(1)} s`],
    ['Seed of the run', String(seed)],
    ['Names began with', prefix],
  ];
  return `<header>
<h1><span class="figure">${counts.pass}<small> of ${ran} pass</small></span>Conformance of ${escapeText(target.name)}</h1>
<p class="quiet">${escapeText(others.length === 0 ? 'Everything that was tested passes' : others.join(', '))}${report.interrupted ? '. The run was stopped before its end' : ''}</p>
${barHtml(counts)}
<dl>${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${escapeText(value)}</dd></div>`).join('')}</dl>
</header>`;
}

/** Draws the shares of the statuses. Attributes place them, since the policy forbids inline styles. */
function barHtml(counts: Report['counts']): string {
  const total = order.reduce((sum, status) => sum + counts[status], 0);
  let x = 0;
  const parts = order.flatMap((status) => {
    if (counts[status] === 0) return [];
    const width = (counts[status] / total) * 1000;
    const part = `<rect class="${status}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="10"/>`;
    x += width;
    return [part];
  });
  return `<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${parts.join('')}</svg>`;
}

function areasHtml({ cases, counts, areas: found }: Report): string {
  const used = order.filter((status) => counts[status] > 0);
  const rows = byArea(cases).map(({ id, name, counts: its }) => {
    const cells = used.map((status) =>
      its[status] === 0
        ? '<td class="quiet">0</td>'
        : `<td><a class="${status}" href="#?status=${status}&amp;area=${escapeAttribute(encodeURIComponent(id))}">${its[status]}<span class="vh"> ${status}</span></a></td>`,
    );
    return `<tr><th scope="row">${escapeText(name)}</th>${cells.join('')}</tr>`;
  });
  return `<section aria-labelledby="areas"><h2 id="areas">By area</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Cases of each area"><table class="areas"><thead><tr><th scope="col">Area</th>${used.map((status) => `<th scope="col">${status}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>${foundHtml(found)}</section>`;
}

function foundHtml(areas: Report['areas']): string {
  if (areas.length === 0) return '';
  const rows = areas.map(
    ({ area, found, evidence }) =>
      `<dt>${areaName(area)}: ${found ? 'found' : 'not found'}</dt><dd>${escapeText(evidence)}</dd>`,
  );
  return `<h3>What the run found before it began</h3><dl class="found">${rows.join('')}</dl>`;
}

function requirementsHtml({ requirements }: Report): string {
  const broken = requirements.filter(({ status }) => status === 'fail' || status === 'error');
  const groups = Map.groupBy(requirements, ({ id }) => id.split('-')[0] as string);
  const parts = [...groups].map(
    ([prefix, its]) =>
      `<details class="group"><summary>${escapeText(prefix)} <span class="quiet">${escapeText(countsText(its))}</span></summary>${chipsHtml(its)}</details>`,
  );
  return `<section aria-labelledby="requirements"><h2 id="requirements">By requirement of the specification</h2>${broken.length === 0 ? '' : `<p>Not met, or unknown:</p>${chipsHtml(broken)}`}${parts.join('\n')}</section>`;
}

function chipsHtml(requirements: Report['requirements']): string {
  const chips = requirements.map(
    ({ id, status }) =>
      `<li><a class="chip ${status}" href="#?requirement=${encodeURIComponent(id)}">${escapeText(id)}<span class="vh"> ${status}</span></a></li>`,
  );
  return `<ul class="chips">${chips.join('')}</ul>`;
}

function casesHtml(report: Report, rerun: (id: string) => string): string {
  const { cases, counts } = report;
  const sections = order.flatMap((status) => {
    const its = cases.filter((result) => result.status === status);
    if (its.length === 0) return [];
    const list = its.map((result) => caseHtml(result, rerun(result.id), report.target.origin));
    return [
      `<section class="status" aria-labelledby="of-${status}"><h3 id="of-${status}">${headings[status]}</h3>\n${list.join('')}</section>`,
    ];
  });
  return `<section aria-labelledby="cases"><h2 id="cases" tabindex="-1">Cases</h2>
${filtersHtml(cases, counts)}
${sections.join('\n')}
<p class="none panel" id="none" hidden>No case fits these filters.</p></section>`;
}

function filtersHtml(cases: readonly CaseResult[], counts: Report['counts']): string {
  const used = order.filter((status) => counts[status] > 0);
  const hasFailures = counts.fail + counts.error > 0;
  const boxes = used.map((status) => {
    const isOn = !hasFailures || status === 'fail' || status === 'error';
    return `<label><input type="checkbox" name="status" value="${status}"${isOn ? ' checked' : ''}> ${status} (${counts[status]})</label>`;
  });
  const areas = byArea(cases).map(
    ({ id, name }) => `<option value="${escapeAttribute(id)}">${escapeText(name)}</option>`,
  );
  return `<form class="panel" name="filters" role="search" aria-label="Filter the cases" autocomplete="off" hidden>
<div><label class="over" for="text">Text</label><input type="search" id="text" name="text" placeholder="words of an id, explanation or message"></div>
<div><label class="over" for="area">Area</label><select id="area" name="area"><option value="">all</option>${areas.join('')}</select></div>
<div><label class="over" for="requirement">Requirement</label><input type="text" id="requirement" name="requirement" placeholder="GIT-003"></div>
<fieldset><legend>Status</legend>${boxes.join('')}</fieldset>
<div class="buttons"><output class="shown" id="shown"></output><button type="reset">Reset the filters</button><button type="button" id="open-all">Open all</button><button type="button" id="close-all">Close all</button></div>
</form>`;
}

function leftBehindHtml({ left_behind: leftBehind }: Report): string {
  if (leftBehind.length === 0) return '';
  return `<section aria-labelledby="left"><h2 id="left">Not removed or closed</h2><pre tabindex="0">${escapeText(leftBehind.join('\n'))}</pre></section>`;
}
