import type { BuiltInEntry } from '../src/catalogue/entry.ts';
import { neutral } from '../src/dialect/neutral.ts';
import { describeError } from '../src/problem/describe.ts';

/** The code whose response serves as an example, that of section 4 of `errors.md`. */
const shown = 522;

const parties: Readonly<Record<BuiltInEntry['responsible'], string>> = {
  visitor: 'the visitor',
  owner: 'the owner of the site',
  platform: 'the platform',
};

/**
 * Makes the reference of error codes, `docs/errors.md`, as Markdown. A test compares the file with this.
 *
 * @param entries the catalogue.
 * @param example source of an app with own codes, own texts and another language.
 */
export function errorReference(entries: readonly BuiltInEntry[], example: string): string {
  return [
    '# Error codes',
    '',
    '<!-- Made by `node packages/problem-details/scripts/write-reference.ts` from the catalogue; a test keeps it so. -->',
    '',
    'When the platform cannot answer a request to a host of a site, it replies with one of these errors: a page for people, JSON (RFC 9457) or Markdown for programs, as `Accept` asks. Each can be looked at on any host of a site, without harm:',
    '',
    '```sh',
    `curl -H 'Accept: text/markdown' https://shop.example/cdn-cgi/error/${shown}`,
    '```',
    '',
    '[How to read one](#how-to-read-an-error) · [All codes](#all-codes) · [Your own codes, texts and languages](#your-own-codes-texts-and-languages) · [The rules, one by one](specification/errors.md)',
    '',
    ...howToRead(entries),
    ...table(entries),
    ...ownOnes(example),
    '## Each code',
    '',
    ...entries.flatMap(section),
  ].join('\n');
}

function howToRead(entries: readonly BuiltInEntry[]): string[] {
  return [
    '## How to read an error',
    '',
    '```json',
    ...entries.filter((entry) => entry.code === shown).map(problem),
    '```',
    '',
    '- Whether to repeat the request is for `retryable` to say. If it is true, wait `retry_after` seconds at least (the header `Retry-After` has the same value) and longer each time; if it is false, the same request fails again.',
    '- Tell errors apart by `error_code` or `error_name`. Code, name and category never change; the texts do.',
    '- `owner_action_required` says that it is for the owner of the site to act; otherwise it is for the visitor or the platform.',
    '- Quote `ray_id` when you ask for help. Each reply has a new one, and the ray id header begins with it.',
    '- `platform_error` is always true, and no other problem has it. With the `cloudflare` dialect it is named `cloudflare_error`, `type` and `footer` are those of that service, and the category of 500 is `cloudflare`.',
    '- `type` is `{docs_base}/errors/{code}`. A server points it to its own page, `/docs/errors/{code}`, unless the setting `docs_base` names another place. An app names a place with the option `docsBase`.',
    '',
  ];
}

function problem(entry: BuiltInEntry): string {
  const occurrence = { rayId: '9184027733651048', now: Date.UTC(2026, 10, 5, 7, 41, 12), zone: 'shop.example' };
  const report = describeError(entry, occurrence, { dialect: neutral, docsBase: 'https://packhouse.example' });
  return JSON.stringify(report.problem, null, 2);
}

function table(entries: readonly BuiltInEntry[]): string[] {
  return [
    '## All codes',
    '',
    'The wait is the default, in seconds. A star marks a name or a status that the public service is not known to use.',
    '',
    '| Code | Name | Category | Status | Retryable | Wait | Responsible |',
    '|---|---|---|---|---|---|---|',
    ...entries.map((entry) => {
      const name = `\`${entry.error_name}\`${star(entry.name_source)}`;
      const status = `${entry.http_status}${star(entry.status_source)}`;
      const wait = entry.retryable ? `yes | ${entry.retry_after}` : 'no |';
      return `| [${entry.code}](#${entry.code}) | ${name} | \`${entry.category}\` | ${status} | ${wait} | ${entry.responsible} |`;
    }),
    '',
  ];
}

function star(source: BuiltInEntry['name_source']): string {
  return source === 'proposed' ? '\\*' : '';
}

function ownOnes(example: string): string[] {
  return [
    '## Your own codes, texts and languages',
    '',
    'An app registers more codes, which work as the built-in ones do, replaces texts, and adds languages:',
    '',
    '```ts',
    example.trimEnd(),
    '```',
    '',
    'A broken rule stops the start, with a message that names the entry and the member: a code or name that is taken, an unregistered category, a member that is missing, unknown or does not fit the others. A text in another language is English instead if it breaks a rule, is missing, or its hook throws.',
    '',
    'For texts the rules are:',
    '',
    '- `short_name`, `detail` and `footer` are one line of plain text, the same for every occurrence.',
    '- `what_you_should_do` begins with `**Wait and retry.** ` if the code is retryable, else with `**Do not retry.** `; in another language with any bold words and a space. It may have bold text (`**so**`), paragraphs, and lists of lines that begin with `- ` or `1. `. Any other Markdown is refused, since it would be markup in one format and text in another.',
    '- Refused too: control characters, IP addresses, ports of hosts (`db.example:5432`), and places in source code (`shop.ts:12`). Make sure that a text names no person, machine or secret, and that no code builds it from a request.',
    '- Lengths are limited, so that the page of a code stays below 16 KiB.',
    '',
  ];
}

function section(entry: BuiltInEntry): string[] {
  const wait = entry.retryable ? `retryable after ${entry.retry_after} s` : 'not retryable';
  return [
    `### ${entry.code}`,
    '',
    `**${entry.short_name}** (\`${entry.error_name}\`): category \`${entry.category}\`, status ${entry.http_status}, ${wait}; responsible is ${parties[entry.responsible]}.`,
    '',
    `${entry.detail}`,
    '',
    `${entry.what_you_should_do}`,
    '',
  ];
}
