import type { Hosting, RepoIdentity } from '@packhouse/hosting';
import type { Failures } from './failures.ts';
import { given, givenNumber, givenOptions } from './given.ts';
import type { Merge } from './results.ts';

/** Names of members of requests, where the service has others. */
const members = { expectedHead: 'expected_head', expectedFrom: 'expected_from', allowEmpty: 'allow_empty' } as const;

/** Names of the arguments of merges, cherry-picks and reverts, by the pointers of the service. */
export const mergeArguments: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...['into', 'strategy', 'mainline', 'message'].map((name) => [name, name]),
    ...['from', 'commit'].flatMap((name) => [
      [name, name],
      ...['namespace', 'repo', 'ref'].map((member) => [`${name}/${member}`, `${name}.${member}`]),
    ]),
    ...['author', 'committer'].flatMap((who) => [
      [who, who],
      ...['name', 'email', 'time', 'timezone'].map((member) => [`${who}/${member}`, `${who}.${member}`]),
    ]),
    ...Object.entries(members).map(([name, pointer]) => [pointer, name]),
  ].map(([pointer, name]) => [`/${pointer}`, `opts.${name}`]),
);

/** Checks the options, and returns the call of `method`. */
export function mergeCall(
  { hosting, failures }: { readonly hosting: Hosting; readonly failures: Failures },
  method: keyof Hosting['merges'],
  opts: unknown,
): (repo: RepoIdentity) => Promise<Merge> {
  const options = Object.entries(givenOptions(failures, opts ?? null, 'opts')).map(([name, value]) => [
    name in members ? members[name as keyof typeof members] : name,
    name === 'mainline' ? givenNumber(value) : given(value),
  ]);
  const body = Object.fromEntries(options) as Readonly<Record<string, unknown>>;
  return async (repo) => {
    const { ref, ...merged } = await hosting.merges[method](repo, body);
    return { ...merged, ref: { ...ref } };
  };
}
