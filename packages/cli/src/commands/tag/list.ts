import type { ApiRequest } from '../../api/client.ts';
import { apiOf, apiOptions } from '../../api/options.ts';
import { tagRefusal } from '../../api/tag-failure.ts';
import type { Command, Invocation } from '../../command/command.ts';
import type { Io } from '../../output/io.ts';
import { printResult, shown } from '../../output/print.ts';
import { filterOnWire } from './filter.ts';
import { resourcesText, type TaggedResource } from './print.ts';

/** Builds the request for a tagging list, with the error messages for its refusals. */
function listRequest(
  invocation: Invocation,
  io: Io,
  path: readonly string[],
  asked: { readonly types?: readonly string[]; readonly filters?: readonly string[]; readonly key?: string } = {},
): Pick<ApiRequest, 'method' | 'base' | 'path' | 'subject' | 'lookUp' | 'explain'> {
  const { types = [], ...rest } = asked;
  const account = invocation.text('account') ?? '';
  return {
    method: 'GET',
    base: 'tags',
    path,
    subject: 'tags',
    lookUp: 'Check --account.',
    explain: (refused) => tagRefusal(refused, { account, program: io.program, writes: false, types, ...rest }),
  };
}

/** Returns the text that replaces an empty list of resources. */
function nothing(invocation: Invocation): string {
  const asked = ['tag', 'type', 'id', 'name'].some((option) => invocation.text(option) !== undefined);
  return asked ? 'Nothing that is tagged is like that.' : 'Nothing is tagged.';
}

/** Formats texts, one per line. */
function lines(texts: readonly unknown[], none: string): string {
  return texts.length === 0 ? `${none}\n` : texts.map((text) => `${shown(text)}\n`).join('');
}

export const tagListCommand: Command = {
  words: ['tag', 'list'],
  summary: 'List what is tagged, in the account and all its zones',
  details: `FILTER is one of KEY (has the tag), !KEY (has it not), KEY=VALUE,VALUE (with one of these values), KEY!=VALUE,VALUE (without the tag, or with none of these). Several --tag must all hold; of several --type or --id one.
"\\," is a comma inside a value, "\\\\" a backslash. Quote "!" for the shell.`,
  arguments: [],
  options: [
    { name: 'tag', value: 'FILTER', repeatable: true, description: 'Only what has such tags' },
    { name: 'type', value: 'TYPE', repeatable: true, description: 'Only resources of this type' },
    {
      name: 'id',
      value: 'ID',
      repeatable: true,
      description: 'Only resources with this ID, as this list shows it',
    },
    { name: 'name', value: 'TEXT', description: 'Only resources whose name contains it' },
    { name: 'ignore-case', description: 'Let filters ignore the case of keys and values' },
    ...apiOptions,
  ],
  examples: [
    'tag list',
    "tag list --tag env=prod,staging --tag '!archived' --type repository",
    "tag list --tag 'owner!=ada' --json",
  ],
  async run(invocation, io) {
    const filters = invocation.texts('tag');
    const types = invocation.texts('type');
    const rows = (await apiOf(invocation, io).byCursorsAfter({
      ...listRequest(invocation, io, ['resources'], { types, filters }),
      writtenQuery: filters.map((filter) => `tag=${filterOnWire(filter)}`).join('&'),
      query: {
        type: types,
        id: invocation.texts('id'),
        name: invocation.text('name'),
        case_insensitive: invocation.flag('ignore-case') ? 'true' : undefined,
      },
    })) as readonly TaggedResource[];
    printResult(invocation, io, rows, (screen) => resourcesText(rows, nothing(invocation), screen));
    return 0;
  },
};

export const tagKeysCommand: Command = {
  words: ['tag', 'keys'],
  summary: 'List the keys of all tags',
  arguments: [],
  options: apiOptions,
  examples: ['tag keys'],
  async run(invocation, io) {
    const keys = await apiOf(invocation, io).byCursorsAfter(listRequest(invocation, io, ['keys']));
    printResult(invocation, io, keys, () => lines(keys, 'There are no tags.'));
    return 0;
  },
};

export const tagValuesCommand: Command = {
  words: ['tag', 'values'],
  summary: 'List the values that a key has',
  arguments: [{ name: 'KEY', description: 'the key' }],
  options: [{ name: 'type', value: 'TYPE', description: 'Only on resources of this type' }, ...apiOptions],
  examples: ['tag values env', 'tag values env --type repository'],
  async run(invocation, io) {
    const key = invocation.argument('KEY');
    const type = invocation.text('type');
    const values = await apiOf(invocation, io).byCursorsAfter({
      ...listRequest(invocation, io, ['values', key], { key, ...(type === undefined ? {} : { types: [type] }) }),
      query: { type },
    });
    printResult(invocation, io, values, () => lines(values, `There are no tags with the key ${shown(key)}.`));
    return 0;
  },
};
