import type { Evidence, GitStep, HttpStep, RecordedBody, RecordedHeaders, Step } from '../../evidence/evidence.ts';
import { stepLine } from '../../report/failure-text.ts';
import { escapeText } from './escape.ts';
import { packetRows } from './pkt-lines.ts';
import { shellCommand } from './shell-command.ts';

/** Characters of a body on the page: a report with many failures must open at once. The JSON report has more. */
const shownMax = 4096;
/** Characters of a command. */
const commandMax = 8192;

/** Returns what a case sent and received, as a list to open step by step. */
export function stepsHtml({ steps, left_out: leftOut }: Evidence, origin: string): string {
  const more =
    leftOut === 0 ? '' : `<p class="quiet">${leftOut} other ${leftOut === 1 ? 'step is' : 'steps are'} not kept.</p>`;
  return `<h4>What was sent and received</h4>${more}<ol class="steps">${steps.map((step) => stepHtml(step, origin)).join('')}</ol>`;
}

function stepHtml(step: Step, origin: string): string {
  const command = shellCommand(step);
  const again =
    command === undefined || command.length > commandMax
      ? '<p class="quiet">The body is too long for a command here. Run the case again instead.</p>'
      : commandHtml(command);
  const inside = step.kind === 'git' ? gitHtml(step) : httpHtml(step);
  return `<li class="step"><details><summary><code>${escapeText(stepLine(step).replace(` ${origin}/`, ' /'))}</code></summary><div class="in">${inside}<h4>The command for a shell</h4>${again}</div></details></li>`;
}

export function commandHtml(command: string): string {
  return `<div class="command"><pre tabindex="0">${escapeText(command)}</pre></div>`;
}

function gitHtml({ stdout, stderr, at, milliseconds, error }: GitStep): string {
  return [
    timeHtml(at, milliseconds, 'ended after'),
    errorHtml(error),
    bodyHtml('Standard output, its end', stdout, []),
    bodyHtml('Standard error, its end', stderr, []),
  ].join('');
}

function httpHtml({ headers, body, reply, at, milliseconds, error }: HttpStep): string {
  return [
    timeHtml(at, milliseconds, 'answered after'),
    headersHtml('Request', headers),
    bodyHtml('Body of the request', body, headers),
    errorHtml(error),
    ...(reply === null
      ? []
      : [
          headersHtml(`Reply ${reply.status}`, reply.headers),
          bodyHtml('Body of the reply', reply.body, reply.headers),
        ]),
  ].join('');
}

function timeHtml(at: number, milliseconds: number | null, verb: string): string {
  const end = milliseconds === null ? '' : `, ${verb} ${milliseconds} ms`;
  return `<p class="quiet">${at} ms after the start of the case${end}</p>`;
}

function errorHtml(error: string | null): string {
  return error === null ? '' : `<h4>No reply</h4><pre class="message">${escapeText(error)}</pre>`;
}

function headersHtml(heading: string, headers: RecordedHeaders): string {
  const lines = headers.map(([name, value]) => `${escapeText(name)}: ${escapeText(value)}`);
  return `<h4>${heading}</h4>${lines.length === 0 ? '<p>No headers.</p>' : `<pre>${lines.join('\n')}</pre>`}`;
}

function bodyHtml(heading: string, body: RecordedBody | null, headers: RecordedHeaders): string {
  if (body === null || body.bytes === 0) return '';
  const { bytes, text, base64, cut, ended } = body;
  const size = `${bytes} bytes${cut ? ', not all of them kept' : ''}${ended ? '' : ', not read to the end'}`;
  return `<h4>${heading} (${size})</h4>${
    isOfGit(headers)
      ? packetsHtml(Buffer.from(text ?? base64 ?? '', text === undefined ? 'base64' : 'utf8'))
      : text === undefined
        ? `<p>Bytes that are no text, in base64:</p><pre tabindex="0">${shortened(base64 ?? '')}</pre>`
        : `<pre tabindex="0">${escapeText(shortened(indentedJson(text, headers)))}</pre>`
  }`;
}

function shortened(text: string): string {
  return text.length <= shownMax ? text : `${text.slice(0, shownMax)}\n... (more in the JSON report)`;
}

function isOfGit(headers: RecordedHeaders): boolean {
  const value = (wanted: string): string => headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
  return value('content-type').startsWith('application/x-git-') && value('content-encoding') === '';
}

function packetsHtml(body: Uint8Array): string {
  const rows = packetRows(body).map(
    ({ length, kind, text }) => `<tr><td>${length}</td><td>${escapeText(kind)}</td><td>${escapeText(text)}</td></tr>`,
  );
  if (rows.length === 0) return '<p>No packets.</p>';
  return `<div class="scroll" tabindex="0"><table class="packets"><thead><tr><th>length</th><th>packet</th><th>content</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

/** JSON is easier to read on several lines. */
function indentedJson(text: string, headers: RecordedHeaders): string {
  if (!headers.some(([name, value]) => name.toLowerCase() === 'content-type' && value.includes('json'))) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
