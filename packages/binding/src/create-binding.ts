import { isServedAccount } from '@packhouse/base';
import { parseNamespaceName, type Hosting } from '@packhouse/hosting';
import { BindingError } from './binding-error.ts';
import { createFailures, type Failures, type Wording } from './failures.ts';
import { given, givenNumber, givenOptions, requireRepoName, requireString } from './given.ts';
import { openHandle, type HandleContext } from './open-handle.ts';
import type { ImportParams, Repos } from './repos.ts';
import { shownListItem, shownNewRepo } from './shown.ts';

export interface BindingOptions {
  /** The service, which REST and Git share (BIND-024). */
  readonly hosting: Hosting;
  /** An account that the service serves. */
  readonly account: string;
  /** Need not exist yet (BIND-003). */
  readonly namespace: string;
  /**
   * Maximum size in bytes of one value that is read, for callers that send it on. Default: only the setting `blob_max`
   * limits it.
   */
  readonly valueMax?: number;
  /**
   * Waits until the process has memory for so many bytes, and reserves it. The resolved function releases it. Rejects
   * with `NotEnoughMemoryError`. Default: no limit.
   */
  readonly admit?: (bytes: number) => Promise<() => void>;
}

/**
 * Binds one namespace of one account for code in this process. Its calls need no token and are not rate-limited
 * (BIND-007, BIND-025).
 *
 * @throws {BindingError} if the account is not served, or the namespace cannot have repositories.
 */
export function createBinding({
  hosting,
  account,
  namespace,
  valueMax = Infinity,
  admit = async () => () => undefined,
}: BindingOptions): Repos {
  const { repos, settings } = hosting;
  if (!isServedAccount(account, settings.accounts)) {
    throw new BindingError('account: expected the id of one that is served (REPO-030)');
  }
  if (typeof namespace !== 'string' || parseNamespaceName(namespace, settings) === undefined) {
    throw new BindingError('namespace: expected the name of one (REPO-060)');
  }
  defineDispose();
  const failures = createFailures(hosting);
  const context: HandleContext = { hosting, failures, valueMax: Math.min(valueMax, settings.blob_max), admit };
  const requireName = (name: unknown): string => requireRepoName(failures, name, settings.repo_name_max);
  const answer = async <Result>(work: () => Promise<Result>, wording?: Wording): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw failures.told(error, wording);
    }
  };

  return {
    create: (name, opts) =>
      answer(
        async () => {
          const checked = requireName(name);
          const { description, setDefaultBranch, readOnly } = givenOptions(failures, opts, 'opts');
          const body = {
            name: checked,
            description: given(description),
            default_branch: given(setDefaultBranch),
            read_only: given(readOnly),
          };
          return shownNewRepo(await repos.create(account, namespace, body));
        },
        { arguments: createArguments },
      ),

    get: (name) =>
      answer(
        async () => openHandle(context, await repos.find(account, namespace, requireString(failures, name, 'name'))),
        // BIND-036. Converting a value that is not a text could throw (BIND-016).
        { notFound: `Repository not found: ${typeof name === 'string' ? name : ''}.` },
      ),

    import: (params) =>
      answer(
        async () => {
          const [name, body] = importRequest(failures, params, requireName);
          return shownNewRepo(await repos.import(account, namespace, name, body));
        },
        { arguments: importArguments },
      ),

    list: (opts) =>
      answer(
        async () => {
          const { limit, cursor } = givenOptions(failures, opts, 'opts');
          const query = { limit: givenNumber(limit), cursor: given(cursor) };
          const { rows, info } = await repos.list(account, namespace, query);
          return {
            repos: rows.map(shownListItem),
            total: 'total_count' in info ? info.total_count : await repos.count(account, namespace),
            ...('cursor' in info && info.cursor !== '' && { cursor: info.cursor }),
          };
        },
        { arguments: listArguments },
      ),

    delete: (name) =>
      answer(async () => {
        const checked = requireName(name);
        try {
          return !(await repos.delete(account, namespace, checked)).isRepeated;
        } catch (error) {
          const told = failures.told(error);
          if (told.code === 'NOT_FOUND') return false;
          throw told;
        }
      }),
  };
}

const createArguments = {
  '/description': 'opts.description',
  '/default_branch': 'opts.setDefaultBranch',
  '/read_only': 'opts.readOnly',
};

const listArguments = { '/limit': 'opts.limit', '/cursor': 'opts.cursor' };

/** In the order of BIND-043. */
const importArguments = {
  '/url': 'source.url',
  '/depth': 'source.depth',
  '/branch': 'source.branch',
  '/description': 'target.opts.description',
  '/read_only': 'target.opts.readOnly',
};

/** Splits the arguments into the name of the new repository and the request that the service takes. */
function importRequest(
  failures: Failures,
  params: ImportParams,
  requireName: (name: unknown) => string,
): [name: string, body: Readonly<Record<string, unknown>>] {
  const { source, target } = givenOptions(failures, params, 'params');
  const { name, opts } = givenOptions(failures, target, 'target');
  const checked = requireName(name);
  const { url, branch, depth } = givenOptions(failures, source, 'source');
  const { description, readOnly } = givenOptions(failures, opts, 'target.opts');
  const body = {
    url: given(url),
    branch: given(branch),
    depth: givenNumber(depth),
    read_only: given(readOnly),
    description: given(description),
  };
  return [checked, body];
}

/**
 * Defines `Symbol.dispose` in a runtime that lacks it (BIND-103), for `using`. The symbol is the one that compilers use
 * in that case.
 *
 * @param symbols Default: those of the runtime.
 */
export function defineDispose(symbols: { readonly dispose?: symbol } = Symbol): void {
  if (symbols.dispose === undefined) Object.defineProperty(symbols, 'dispose', { value: Symbol.for('Symbol.dispose') });
}
