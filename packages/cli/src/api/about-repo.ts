import type { Io } from '../output/io.ts';
import type { FailedRequest } from './failure.ts';

/** What messages say of a repo. */
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
