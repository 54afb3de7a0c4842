import { all, apiOf } from '../../api/api.ts';
import type { About } from '../../api/failure.ts';
import { dropUndefined } from '../../api/drop-undefined.ts';
import { apiOptions } from '../../api/options.ts';
import { tagRefusal, type TagRequest } from '../../api/tag-failure.ts';
import { printResult, shown, type Command, type Invocation, type Io } from '@packhouse/command';
import { resourcesText } from './print.ts';

/** Returns the words for errors of a tagging list. */
function aboutList(
  invocation: Invocation,
  io: Io,
  asked: Partial<Pick<TagRequest, 'types' | 'filters' | 'key'>> = {},
): About {
  const account = invocation.text('account') ?? '';
  return {
    subject: 'tags',
    lookUp: 'Check --account.',
    explain: (error) => tagRefusal(error, { account, program: io.program, writes: false, types: [], ...asked }),
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
    const { client, settle } = apiOf(invocation, io);
    const listed = client.tags.resources(
      dropUndefined({
        tag: filters,
        type: types,
        id: invocation.texts('id'),
        name: invocation.text('name'),
        case_insensitive: invocation.flag('ignore-case') ? 'true' : undefined,
      }),
    );
    const rows = await settle(all(listed), aboutList(invocation, io, { types, filters }));
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
    const { client, settle } = apiOf(invocation, io);
    const keys = await settle(all(client.tags.keys()), aboutList(invocation, io));
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
    const { client, settle } = apiOf(invocation, io);
    const listed = all(client.tags.values(key, dropUndefined({ type })));
    const values = await settle(listed, aboutList(invocation, io, { key, types: type === undefined ? [] : [type] }));
    printResult(invocation, io, values, () => lines(values, `There are no tags with the key ${shown(key)}.`));
    return 0;
  },
};
