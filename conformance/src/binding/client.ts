import { NotDone } from '../core/outcome.ts';
import type { Binding, BindingRepo } from '../core/binding.ts';
import { BindingFailure } from './failure.ts';
import { decodeValue, encodeValue, secretHeader, type ProbeReply, type ProbeRequest } from './wire.ts';

/** The address of a probe and its secret. */
export interface ProbePlace {
  readonly url: string;
  readonly secret: string;
}

export interface BindingClientOptions extends ProbePlace {
  readonly namespace: string;
  readonly send: (url: string, init: RequestInit) => Promise<Response>;
  /** Called for each repo that a call may create: before the call, and after it succeeded. */
  readonly making: (name: string, made: boolean) => void;
  /** Called for each token in a result. */
  readonly token: (token: string) => void;
}

/** Creates a binding to one namespace, through a probe. Checks BIND-015 and BIND-016 for each result. */
export function bindingClient(options: BindingClientOptions): Binding {
  const { namespace } = options;
  const ask = async <T>(asked: Omit<ProbeRequest, 'namespace' | 'args'>, args: readonly unknown[]): Promise<T> => {
    const name = nameMade(asked, args);
    if (name !== undefined) options.making(name, false);
    const value = await askProbe(options, { namespace, ...asked, args });
    if (name !== undefined) options.making(name, true);
    for (const token of tokensOf(value)) options.token(token);
    return value as T;
  };

  const repo = (handle: string): BindingRepo => {
    const call = async <T>(name: string, args: readonly unknown[]): Promise<T> =>
      await ask<T>({ handle, act: 'call', name }, args);
    return {
      info: () => call('info', []),
      update: (...args) => call('update', args),
      createToken: (...args) => call('createToken', args),
      listTokens: () => call('listTokens', []),
      revokeToken: (...args) => call('revokeToken', args),
      readBlob: (...args) => call('readBlob', args),
      readTree: (...args) => call('readTree', args),
      readCommit: (...args) => call('readCommit', args),
      readFile: (...args) => call('readFile', args),
      log: (...args) => call('log', args),
      listRefs: (...args) => call('listRefs', args),
      compare: (...args) => call('compare', args),
      archive: (...args) => call('archive', args),
      updateRefs: (...args) => call('updateRefs', args),
      readFiles: (...args) => call('readFiles', args),
      listTree: (...args) => call('listTree', args),
      commit: (...args) => call('commit', args),
      merge: (...args) => call('merge', args),
      cherryPick: (...args) => call('cherryPick', args),
      revert: (...args) => call('revert', args),
      writeBlob: (...args) => call('writeBlob', args),
      search: (...args) => call('search', args),
      fork: (...args) => call('fork', args),
      dispose: () => ask({ handle, act: 'dispose', name: 'Symbol.dispose' }, []),
      callThenDispose: (name, ...args) => ask({ handle, act: 'call then dispose', name }, args),
      call: (name, ...args) => call(name, args),
      property: (name) => ask({ handle, act: 'property', name }, []),
    };
  };

  const call = async <T>(name: string, args: readonly unknown[]): Promise<T> =>
    await ask<T>({ act: 'call', name }, args);
  return {
    namespace,
    create: (...args) => call('create', args),
    async get(...args) {
      const { id } = await call<{ readonly id: string }>('get', args);
      return repo(id);
    },
    import: (...args) => call('import', args),
    list: (...args) => call('list', args),
    delete: (...args) => call('delete', args),
    call: (name, ...args) => call(name, args),
  };
}

/** Returns the name that a call would give to a new repo. */
function nameMade({ name }: Pick<ProbeRequest, 'name'>, [first]: readonly unknown[]): string | undefined {
  const given = first as { readonly name?: unknown; readonly target?: { readonly name?: unknown } } | null | undefined;
  const names = { import: given?.target?.name, update: given?.name, create: first, fork: first };
  const made = Object.hasOwn(names, name) ? names[name as keyof typeof names] : undefined;
  return typeof made === 'string' ? made : undefined;
}

function tokensOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { token, plaintext } = value as { readonly token?: unknown; readonly plaintext?: unknown };
  return [token, plaintext].filter((one) => typeof one === 'string');
}

async function askProbe({ url, secret, send }: BindingClientOptions, asked: ProbeRequest): Promise<unknown> {
  const args = await Promise.all(asked.args.map((one) => encodeValue(one)));
  const reply = await send(url, {
    method: 'POST',
    headers: { [secretHeader]: secret, 'content-type': 'application/json' },
    body: JSON.stringify({ ...asked, args }),
  });
  if (!reply.ok) throw new Error(`the probe answered ${reply.status} ${(await reply.text()).slice(0, 200)}`);
  const { outcome, promise, value, plain, cloneable, error } = (await reply.json()) as ProbeReply;
  const isCall = asked.act.startsWith('call');
  if (isCall && !promise && !(outcome === 'thrown' && isMissing(error)))
    throw new NotDone(`${asked.name} gave no promise (BIND-016): ${outcome} ${error?.message ?? ''}`);
  if (outcome !== 'resolved') throw new BindingFailure(asked.name, error as NonNullable<typeof error>);
  const isHandle = (value as { readonly $?: unknown } | null)?.$ === 'handle';
  if (isCall && !isHandle && (plain !== true || cloneable !== true))
    throw new NotDone(`${asked.name} gave what is no plain data (BIND-015)`);
  return isHandle ? value : decodeValue(value);
}

function isMissing(error: ProbeReply['error']): boolean {
  return error?.message.startsWith('there is no method ') === true;
}

/**
 * Returns the namespaces that a probe offers.
 *
 * @throws if the URL is not a probe, or the secret is wrong.
 */
export async function probedNamespaces(
  { url, secret }: ProbePlace,
  send: (request: Request) => Promise<Response>,
): Promise<readonly string[]> {
  const reply = await send(new Request(url, { headers: { [secretHeader]: secret } }));
  const found = reply.ok ? ((await reply.json()) as { readonly namespaces?: unknown }).namespaces : undefined;
  if (Array.isArray(found) && found.length > 0) return found.map(String);
  throw new Error(`what answers at the URL of the binding is no probe, or has another secret (${reply.status})`);
}
