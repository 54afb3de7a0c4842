import { CliError, fields, nearest, printResult, shellWord, type Command, type Io } from '@packhouse/command';
import { areaOf } from '../core/area.ts';
import type { Case } from '../core/case.ts';
import { lackingReasons } from '../run/lacking.ts';
import { selectCases } from '../run/select.ts';
import { sourceOf } from './source-of.ts';
import { specified } from './specified.ts';

export const explainCommand: Command = {
  words: ['explain'],
  summary: 'Explain a case, or the cases of a requirement',
  details:
    'Prints what a case checks, the requirements behind it, what it needs, where its source is, and how to run it alone.',
  arguments: [{ name: 'ID', description: 'the ID of a case or of a requirement; "*" stands for anything' }],
  options: [{ name: 'json', description: 'Print the explanations as one line of JSON' }],
  examples: ['explain git/http/methods', 'explain GIT-091', "explain 'rest/refs/*' --json"],
  async run(invocation, io) {
    const { cases } = await import('../cases/index.ts');
    const explained = casesOf(invocation.argument('ID'), cases, io).map((one) => explanationOf(one, io));
    printResult(invocation, io, explained, () => explained.map(explanationText).join('\n'));
    return 0;
  },
};

interface Explanation {
  readonly id: string;
  readonly explanation: string;
  readonly level: Case['level'];
  readonly beyond: boolean;
  readonly requirements: readonly { readonly id: string; readonly text: string | null; readonly link: string }[];
  readonly needs: readonly string[];
  readonly settings: Case['settings'] | null;
  readonly source: string | null;
  readonly run: string;
}

function explanationOf(testCase: Case, { program }: Pick<Io, 'program'>): Explanation {
  const { id, explanation, level, beyond = false, requirements, needs = [], settings } = testCase;
  return {
    id,
    explanation,
    level,
    beyond,
    requirements: requirements.map(specified),
    needs: needs.map((need) => lackingReasons[need](settings ?? {}).replace(/^needs /, '')),
    settings: settings ?? null,
    source: sourceOf(id),
    run: [program, 'run', ...runWords(testCase), '--only', id].join(' '),
  };
}

/** Returns the words of a command line that lets a case run. */
function runWords(testCase: Case): readonly string[] {
  const { needs = [], settings = {} } = testCase;
  if (needs.includes('repo to read')) return ['--git URL --read-only'];
  const words: readonly (readonly [boolean, string])[] = [
    [areaOf(testCase) !== 'errors' || needs.some((need) => need === 'control plane' || need === 'settings'), 'URL'],
    [needs.includes('zone'), '--zone HOST'],
    [needs.includes('zone id'), '--zone-id ID'],
    [needs.includes('import url'), '--import-url URL'],
    [needs.includes('binding'), '--binding-url URL'],
  ];
  const set = Object.entries(settings).map(
    ([name, value]) => `--setting ${shellWord(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)}`,
  );
  return [...words.flatMap(([isWanted, word]) => (isWanted ? [word] : [])), ...set];
}

function explanationText(one: Explanation): string {
  const { id, explanation, level, beyond, requirements, needs, settings, source, run } = one;
  const links = [...new Set(requirements.map(({ link }) => link))];
  const rows: (readonly [string, string])[] = [
    ['level', beyond ? `${level}, beyond the known behaviour of the public service` : level],
    ...requirements.map(({ id: name, text }) => ['requires', text === null ? name : `${name}  ${text}`] as const),
    ...links.map((link) => ['specified', link] as const),
    ...needs.map((need) => ['needs', need] as const),
    ...(settings === null ? [] : [['settings', JSON.stringify(settings)] as const]),
    ...(source === null ? [] : [['source', source] as const]),
    ['alone', run],
  ];
  const shownRows = rows.map(([name, value], index) => [name === rows[index - 1]?.[0] ? '' : name, value] as const);
  return `${id}\n  ${explanation}\n\n${fields(shownRows).replaceAll(/^/gm, '  ').trimEnd()}\n`;
}

/** @throws {CliError} kind `usage` if there is no such case. */
function casesOf(id: string, cases: readonly Case[], { program }: Pick<Io, 'program'>): readonly Case[] {
  try {
    return selectCases(cases, [id]);
  } catch {
    const close = nearest(
      id,
      cases.flatMap((one) => [one.id, ...one.requirements]),
    );
    throw new CliError(
      'usage',
      `There is no case or requirement "${id}".`,
      `${close === undefined ? '' : `Did you mean "${close}"? `}"${program} list" shows all cases.`,
    );
  }
}
