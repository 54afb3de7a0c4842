import type { Io } from '../output/io.ts';
import type { FailedRequest } from './failure.ts';

/** The subject and the lookup hint that error messages use for a repo. */
export function aboutRepo(
  { program }: Pick<Io, 'program'>,
  namespace: string,
  name: string,
): Pick<FailedRequest, 'subject' | 'lookUp'> {
  return {
    subject: `repo "${name}" in namespace "${namespace}"`,
    lookUp: `"${program} repo list --namespace ${namespace}" shows those there are.`,
  };
}
