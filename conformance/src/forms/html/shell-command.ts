import { quoted, shellWord } from '@packhouse/command';
import type { GitStep, HttpStep, RecordedBody, Step } from '../../evidence/evidence.ts';

/** Headers that curl makes by itself. */
const ownHeaders = new Set(['connection', 'content-length', 'transfer-encoding']);

/** Returns the command line that repeats a step; undefined if the report does not have all of it. */
export function shellCommand(step: Step): string | undefined {
  return step.kind === 'git' ? gitCommand(step) : curlCommand(step);
}

function gitCommand({ arguments: args, credential }: GitStep): string {
  const token = credential ? ['-c http.extraHeader="Authorization: Bearer $REPO_TOKEN"'] : [];
  return ['git', ...token, ...args.map(shellWord)].join(' ');
}

function curlCommand({ method, url, headers, body, raw }: HttpStep): string | undefined {
  if (body !== null && (body.cut || !body.ended)) return undefined;
  const sent = headers.filter(([name]) => !ownHeaders.has(name.toLowerCase()));
  // Otherwise curl would add its default type.
  const untyped = body !== null && !sent.some(([name]) => name.toLowerCase() === 'content-type');
  const [before, data] = body === null ? ['', ''] : dataOf(body);
  const verb = method === 'HEAD' ? ' -I' : method === 'GET' && body === null ? '' : ` -X ${shellWord(method)}`;
  // Otherwise curl would take brackets for a set of URLs.
  const isLiteral = /[[\]{}]/.test(url) ? ' -g' : '';
  return [
    `${before}curl -i${isLiteral}${verb}${raw ? ' --path-as-is' : ''} ${quoted(url)}`,
    ...sent.map(([name, value]) => `-H ${headerWord(name, value)}`),
    ...(untyped ? ["-H 'content-type:'"] : []),
    ...(data === '' ? [] : [data]),
  ].join(' \\\n  ');
}

/** Quotes a header. A name becomes a variable only if it is all of a credential: other texts may come from services. */
function headerWord(name: string, value: string): string {
  const [, scheme = '', variable] = /^((?:Basic |Bearer )?)(\$CONFORMANCE_[A-Z_]+|\[token\])$/i.exec(value) ?? [];
  if (variable === undefined) return quoted(value === '' ? `${name};` : `${name}: ${value}`);
  return `${quoted(`${name}: ${scheme}`)}"${variable === '[token]' ? '$REPO_TOKEN' : variable}"`;
}

/** Returns what comes before curl, and its option. Binary bytes go through base64. */
function dataOf({ text, base64, bytes }: RecordedBody): readonly [string, string] {
  if (bytes === 0) return ['', "--data-raw ''"];
  if (text !== undefined && !/[\0-\x08\x0b-\x1f\x7f]/.test(text)) return ['', `--data-raw ${quoted(text)}`];
  return [`printf %s ${base64 ?? Buffer.from(text ?? '').toString('base64')} | base64 -d | `, '--data-binary @-'];
}
