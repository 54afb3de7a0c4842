import type { Resource, ResourceTags } from '@packhouse/client';
import { CliError, shellWord, type ArgumentSpec, type Invocation, type Io, type OptionSpec } from '@packhouse/command';
import { repoOf, type Api } from '../../api/api.ts';
import type { About } from '../../api/failure.ts';
import { tagRefusal, type TagSubject } from '../../api/tag-failure.ts';
import { parentOf } from '../../api/tag-types.ts';

export const resourceArguments: readonly ArgumentSpec[] = [
  { name: 'TYPE', description: 'the type of the resource, such as repository or worker' },
  { name: 'ID', description: 'its ID; of a repository NAMESPACE/REPO does, too' },
];

export const resourceOptions: readonly OptionSpec[] = [
  { name: 'zone', value: 'ID', description: 'The zone of the resource, for types such as dns_record' },
  {
    name: 'parent',
    value: 'ID',
    description:
      'The worker of a worker_version, the application of an access_application_policy; NAME=ID for a type of your own',
  },
];

export const ifMatchOption: OptionSpec = {
  name: 'if-match',
  value: 'ETAG',
  description: 'Only if the tags are still those with this etag',
};

/** The resource that a command line names. */
export interface NamedResource {
  readonly subject: TagSubject;
  readonly resource: Resource;
  /** The calls for resources of its account or zone. */
  readonly tags: ResourceTags;
  /** Returns the words for errors of a call. `writes` selects the message for a refused write. */
  readonly about: (writes: boolean) => About;
}

/**
 * Reads TYPE, ID, `--zone` and `--parent`. Looks up the id of a repository that the user gives by name.
 *
 * @throws {CliError}
 */
export async function resourceOf(invocation: Invocation, { client }: Api, io: Io): Promise<NamedResource> {
  const type = invocation.argument('TYPE');
  const given = invocation.argument('ID');
  const zone = invocation.text('zone');
  const parent = parentIn(invocation, type);
  const subject: TagSubject = {
    name: `${type} "${given}"`,
    words: resourceWords(invocation),
    parent: parent?.member,
  };
  const id = type === 'repository' && given.includes('/') ? await repoId(given, invocation, io) : given;
  return {
    subject,
    resource: {
      resource_type: type,
      resource_id: id,
      ...(parent === undefined ? {} : { [parent.member]: parent.id }),
    },
    tags: zone === undefined ? client.tags : client.zoneTags(zone),
    about: (writes) => ({
      subject: subject.name,
      lookUp: 'Check TYPE and ID.',
      explain: (error) =>
        tagRefusal(error, {
          account: invocation.text('account') ?? '',
          zone,
          program: io.program,
          writes,
          types: [type],
          resource: subject,
        }),
    }),
  };
}

/** Returns the words that name the resource on another command line. */
export function resourceWords(invocation: Invocation): string {
  const options = ['zone', 'parent'].flatMap((option) => {
    const value = invocation.text(option);
    return value === undefined ? [] : [`--${option} ${shellWord(value)}`];
  });
  return [...['TYPE', 'ID'].map((name) => shellWord(invocation.argument(name))), ...options].join(' ');
}

function parentIn(invocation: Invocation, type: string): { readonly member: string; readonly id: string } | undefined {
  const text = invocation.text('parent');
  if (text === undefined) return undefined;
  const known = parentOf(type);
  if (known !== undefined) return { member: known, id: text };
  const [, member, id] = /^([a-z0-9_]+)=([^]+)$/.exec(text) ?? [];
  // The members of the resource itself cannot name its parent.
  if (member === undefined || id === undefined || member.startsWith('resource_') || member === 'tags') {
    throw new CliError(
      'usage',
      `--parent of a ${type} cannot be "${text}".`,
      'Write --parent NAME=ID, with the name that the service calls the parent by; types that come with Packhouse have parents in worker_version and access_application_policy alone.',
    );
  }
  return { member, id };
}

async function repoId(text: string, invocation: Invocation, io: Io): Promise<string> {
  const slash = text.indexOf('/');
  const [namespace, name] = [text.slice(0, slash), text.slice(slash + 1)];
  if (namespace === '' || name === '')
    throw new CliError(
      'usage',
      `"${text}" is not a repository.`,
      'Write NAMESPACE/REPO, such as default/notes, or its ID.',
    );
  const { repo, settle } = repoOf(invocation, io, name, namespace);
  const { id } = await settle(repo.info(), {
    explain: ({ status }) =>
      status === 403
        ? new CliError(
            'credential',
            `The API token does not allow looking up what ID the repository "${text}" has.`,
            'Write the ID in its place, or use a token that may read repos.',
          )
        : undefined,
  });
  return id;
}
