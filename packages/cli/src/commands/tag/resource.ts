import type { Api, ApiRequest } from '../../api/client.ts';
import type { Refused } from '../../api/failure.ts';
import { tagRefusal, type TagSubject } from '../../api/tag-failure.ts';
import { parentOf } from '../../api/tag-types.ts';
import { CliError } from '../../output/cli-error.ts';
import type { ArgumentSpec, Invocation, OptionSpec } from '../../command/command.ts';
import type { Io } from '../../output/io.ts';
import { shellWord } from '../../output/shell-word.ts';

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
  /** The members that name it in requests, in a query or a body. */
  readonly members: Readonly<Record<string, string>>;
  /** Returns the common parts of requests about it. `writes` selects the message for a refused write. */
  request(writes: boolean): Pick<ApiRequest, 'base' | 'path' | 'subject' | 'lookUp' | 'explain'>;
}

/**
 * Reads TYPE, ID, `--zone` and `--parent`. Looks up the id of a repository that the user gives by name.
 *
 * @throws {CliError}
 */
export async function resourceOf(invocation: Invocation, api: Api, io: Io): Promise<NamedResource> {
  const type = invocation.argument('TYPE');
  const given = invocation.argument('ID');
  const zone = invocation.text('zone');
  const parent = parentIn(invocation, type);
  const subject: TagSubject = {
    name: `${type} "${given}"`,
    words: resourceWords(invocation),
    parent: parent?.member,
  };
  const id = type === 'repository' && given.includes('/') ? await repoId(given, api, io) : given;
  return {
    subject,
    members: {
      resource_type: type,
      resource_id: id,
      ...(parent === undefined ? {} : { [parent.member]: parent.id }),
    },
    request: (writes) => ({
      base: zone === undefined ? 'tags' : { zone },
      path: [],
      subject: subject.name,
      lookUp: 'Check TYPE and ID.',
      explain: (refused: Refused) =>
        tagRefusal(refused, {
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

async function repoId(text: string, api: Api, io: Io): Promise<string> {
  const slash = text.indexOf('/');
  const [namespace, repo] = [text.slice(0, slash), text.slice(slash + 1)];
  if (namespace === '' || repo === '')
    throw new CliError(
      'usage',
      `"${text}" is not a repository.`,
      'Write NAMESPACE/REPO, such as default/notes, or its ID.',
    );
  const found = await api.one({
    method: 'GET',
    path: ['namespaces', namespace, 'repos', repo],
    subject: `repo "${repo}" in namespace "${namespace}"`,
    lookUp: `"${io.program} repo list --namespace ${namespace}" shows those there are.`,
    explain: ({ status }) =>
      status === 403
        ? new CliError(
            'credential',
            `The API token does not allow looking up what ID the repository "${text}" has.`,
            'Write the ID in its place, or use a token that may read repos.',
          )
        : undefined,
  });
  return (found as { readonly id: string }).id;
}
