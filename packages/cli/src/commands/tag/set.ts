import { setTimeout } from 'node:timers/promises';
import { TagRefusal } from '../../api/tag-failure.ts';
import { apiOf, apiOptions } from '../../api/options.ts';
import type { Api } from '../../api/client.ts';
import { typeList } from '../../api/tag-types.ts';
import { taggingErrors } from '@packhouse/tagging';
import { CliError } from '../../output/cli-error.ts';
import type { Command, Invocation } from '../../command/command.ts';
import { printResult } from '../../output/print.ts';
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
    const resource = await resourceOf(invocation, api, io);
    const result = invocation.flag('merge')
      ? await merge(api, resource, change)
      : await put(api, resource, change.set, ifMatch);
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

async function put(api: Api, resource: NamedResource, tags: Tags, ifMatch?: string): Promise<TaggedResource> {
  return (await api.one({
    ...resource.request(true),
    method: 'PUT',
    body: { ...resource.members, tags },
    ifMatch,
  })) as TaggedResource;
}

/** Reads, merges and writes the tags. Retries if another client wrote in between. */
async function merge(api: Api, resource: NamedResource, { set, removed }: Change): Promise<TaggedResource> {
  for (let attempt = 1; attempt <= mergesMax; attempt++) {
    const { tags, etag } = await current(api, resource);
    try {
      return await put(api, resource, merged(tags, set, removed), `"${etag}"`);
    } catch (error) {
      if (!refusedWith(error, taggingErrors.noMatch.code)) throw error;
    }
    // A random pause keeps competing clients from colliding again.
    await setTimeout(Math.random() * 50 * attempt);
  }
  throw new CliError(
    'refused',
    `Others changed the tags of ${resource.subject.name} each time they were to be merged.`,
    'Nothing was changed here: try again in a moment.',
  );
}

async function current(api: Api, resource: NamedResource): Promise<Pick<TaggedResource, 'tags' | 'etag'>> {
  try {
    const found = await api.one({ ...resource.request(false), method: 'GET', query: resource.members });
    return found as TaggedResource;
  } catch (error) {
    // The resource has no tags yet, or does not exist; the write will show which.
    if (refusedWith(error, taggingErrors.resourceNotFound.code)) return { tags: {}, etag: etagOfNone };
    throw error;
  }
}

function refusedWith(error: unknown, code: number): boolean {
  return error instanceof TagRefusal && error.code === code;
}
