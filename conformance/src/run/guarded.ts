import { operationOf } from '../core/operations.ts';
import { Unsupported } from '../core/outcome.ts';
import type { Target } from '../core/target.ts';

/**
 * Returns a sender that refuses what must not or cannot be sent: what would change something in a run that only reads,
 * and operations that the target has not.
 */
export function guarded({ readOnly, missing }: Pick<Target, 'readOnly' | 'missing'>, base: string, send: Send): Send {
  return async (request) => {
    const { method, url } = request;
    if (
      readOnly === true &&
      !/^(?:GET|HEAD|OPTIONS)$/.test(method) &&
      !/^POST .*\/git-upload-pack$/.test(`${method} ${url}`)
    )
      throw new Error(`the case sends ${method} ${new URL(url).pathname}, and does not declare that it writes`);
    const operation = url.startsWith(base) ? operationOf(method, url.slice(base.length)) : gitIn(url);
    const evidence = operation === undefined ? undefined : missing?.get(operation);
    if (evidence !== undefined) throw new Unsupported(evidence);
    return await send(request);
  };
}

/** Returns `git` for a URL of Git, the name under which {@link Target.missing} has it. */
function gitIn(url: string): 'git' | undefined {
  return /\/(?:info\/refs\?service=git-|git-(?:upload|receive)-pack$)/.test(url) ? 'git' : undefined;
}

type Send = (request: Request) => Promise<Response>;
