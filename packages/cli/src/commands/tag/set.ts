import { setTimeout } from 'node:timers/promises';
import { PackhouseError } from '@packhouse/client';
import { apiOf, type Api } from '../../api/api.ts';
import { apiOptions } from '../../api/options.ts';
import { typeList } from '../../api/tag-types.ts';
import { taggingErrors } from '@packhouse/tagging/vocabulary';
import { CliError, printResult, type Command, type Invocation } from '@packhouse/command';
import { ifMatchIn } from './if-match.ts';
import { merged, tagsOf, type Tags } from './pairs.ts';
import { resourceText, type TaggedResource } from './print.ts';
import {
  ifMatchOption,
  resourceArguments,
  resourceOf,
  resourceOptions,
  resourceWords,
  type NamedResource,
} from './resource.ts';

/** The etag of an empty set of tags (TAG-039), which a resource without a record also has (TAG-047). */
const etagOfNone = 'v1:RBNvo1WzZ4oRRq0W9-hkng';

/** Attempts of a merge that collides with other writers. */
const mergesMax = 8;

export const tagSetCommand: Command = {
  words: ['tag', 'set'],
  summary: 'Set the tags of a resource',
  details: `The resource has only the given tags from then on. With --merge its other tags stay, except those of --remove, and tags that other clients set meanwhile stay, too.
A key is letters, digits, "_", "." and "-". A value is any text, and may hold "="; "KEY=" is the empty one.

Types, unless the service has others; first those of an account:
${typeList('account')}
and those of a zone, which need --zone:
${typeList('zone')}`,
  arguments: [...resourceArguments, { name: 'KEY=VALUE', optional: true, repeatable: true, description: 'a tag' }],
  options: [
    { name: 'merge', description: 'Keep the other tags' },
    { name: 'remove', value: 'KEY', repeatable: true, description: 'With --merge: a key to remove' },
    ifMatchOption,
    ...resourceOptions,
    ...apiOptions,
  ],
  examples: [
    'tag set repository default/notes env=prod team=core',
    'tag set repository default/notes env=staging --merge --remove team',
    'tag set dns_record 5d20 owner=dns-team --zone z9',
  ],
  async run(invocation, io) {
    const change = changeIn(invocation, io.program);
    const ifMatch = ifMatchIn(invocation);
    const api = apiOf(invocation, io);
    const named = await resourceOf(invocation, api, io);
    const { resource, tags, about } = named;
    const result = invocation.flag('merge')
      ? await merge(api, named, change)
      : await api.settle(tags.set(resource, change.set, { ifMatch }), about(true));
    printResult(invocation, io, result, (screen) => resourceText(result, screen));
    return 0;
  },
};

interface Change {
  readonly set: Tags;
  readonly removed: readonly string[];
}

function changeIn(invocation: Invocation, program: string): Change {
  const set = tagsOf(invocation.repeatedArgument('KEY=VALUE'));
  const removed = invocation.texts('remove');
  const merges = invocation.flag('merge');
  if (removed.length > 0 && !merges)
    throw new CliError('usage', '--remove goes with --merge alone.', 'Add --merge, which keeps the other tags.');
  if (merges && invocation.text('if-match') !== undefined)
    throw new CliError(
      'usage',
      '--if-match does not go with --merge.',
      '--merge sees to it itself that no change of others is lost: leave --if-match out.',
    );
  const both = removed.find((key) => Object.hasOwn(set, key));
  if (both !== undefined) throw new CliError('usage', `"${both}" is both set and removed.`, 'Leave one out.');
  if (Object.keys(set).length === 0 && removed.length === 0) {
    throw new CliError(
      'usage',
      'KEY=VALUE is missing.',
      `Write a tag, such as env=prod. "${program} tag delete ${resourceWords(invocation)}" removes all tags.`,
    );
  }
  return { set, removed };
}

/** Reads, merges and writes the tags. Retries if another client wrote in between. */
async function merge(
  { settle }: Api,
  { resource, subject, tags, about }: NamedResource,
  { set, removed }: Change,
): Promise<TaggedResource> {
  for (let attempt = 1; attempt <= mergesMax; attempt++) {
    // Without a record, the resource has no tags yet or does not exist; the write will show which.
    const none = { tags: {}, etag: etagOfNone };
    const current = (await settle(unless(taggingErrors.resourceNotFound, tags.get(resource)), about(false))) ?? none;
    const call = tags.set(resource, merged(current.tags, set, removed), { ifMatch: `"${current.etag}"` });
    const written = await settle(unless(taggingErrors.noMatch, call), about(true));
    if (written !== undefined) return written;
    // A random pause keeps competing clients from colliding again.
    await setTimeout(Math.random() * 50 * attempt);
  }
  throw new CliError(
    'refused',
    `Others changed the tags of ${subject.name} each time they were to be merged.`,
    'Nothing was changed here: try again in a moment.',
  );
}

/** Resolves to undefined if the call is refused with this code. */
async function unless<Result>({ code }: { readonly code: number }, call: Promise<Result>): Promise<Result | undefined> {
  return await call.catch((error: unknown) => {
    if (error instanceof PackhouseError && error.code === code) return undefined;
    throw error;
  });
}
