import type { ResultOf } from '@packhouse/client';
import { shown, type Command } from '@packhouse/command';
import { each, repoOf } from '../api/api.ts';
import { dropUndefined } from '../api/drop-undefined.ts';
import { apiOptions, namespaceOption } from '../api/options.ts';
import { explained } from './repo-archive.ts';

export const repoSearchCommand: Command = {
  words: ['repo', 'search'],
  summary: 'Find the lines of files that contain a text',
  details:
    'Prints path, number and text of each line, like "git grep -n". Binary files are left out. With --json, each page of results is one line of JSON.',
  arguments: [
    { name: 'NAME', description: 'the name of the repo' },
    { name: 'TEXT', description: 'the text to find, or with --regex a regular expression' },
  ],
  options: [
    { name: 'ref', value: 'REF', description: 'A branch, tag or commit (default: HEAD)' },
    { name: 'path', value: 'PATH', description: 'This folder or file alone' },
    { name: 'regex', description: 'Take TEXT for a regular expression in the syntax of RE2' },
    { name: 'ignore-case', description: 'Ignore upper and lower case' },
    namespaceOption,
    ...apiOptions,
  ],
  examples: ['repo search notes plan', "repo search notes 'v[0-9]+' --regex --ref main --path docs"],
  async run(invocation, io) {
    const [ref, path] = [invocation.text('ref'), invocation.text('path')];
    const { repo, settle, subject } = repoOf(invocation, io);
    const query = dropUndefined({
      q: invocation.argument('TEXT'),
      ref,
      path,
      regex: invocation.flag('regex'),
      ignore_case: invocation.flag('ignore-case'),
      limit: 1000,
    });
    let skipped = 0;
    const print = (page: ResultOf<'searchFiles'>): void => {
      if (invocation.flag('json')) io.out(`${JSON.stringify(page)}\n`);
      else io.out(page.matches.map(({ path, line, text }) => `${shown(path)}:${line}:${shownLine(text)}\n`).join(''));
      skipped += page.skipped;
    };
    await settle(each(repo.search(query), print), {
      explain: (error) => explained(error, subject, ref ?? 'HEAD', path),
    });
    if (skipped > 0) io.err(`Files and folders that were too large to be searched: ${skipped}.\n`);
    return 0;
  },
};

/** A line of a file, safe for a terminal. Keeps tabs. */
function shownLine(text: string): string {
  return text.replace(/\r$/, '').split('\t').map(shown).join('\t');
}
