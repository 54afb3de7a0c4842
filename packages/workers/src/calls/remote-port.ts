import { RepoGoneError } from '@packhouse/git';
import { HostingError, type ErrorItem, type RepoErrorKind } from '@packhouse/base';
import { callObject, type CallOptions } from './call-object.ts';

/** The reply of an object. RPC does not carry classes, so errors that callers distinguish travel as values. */
export type Answer =
  | { readonly value: unknown }
  | { readonly gone: true }
  | { readonly failed: RepoErrorKind; readonly items: readonly [ErrorItem, ...ErrorItem[]] };

/** The one RPC method of an object: calls a method of one of its ports. `Place` selects the account or repository. */
export interface PortObject<Place> {
  callPort(port: string, place: Place, method: string, given: readonly unknown[]): Promise<Answer>;
}

/** `repeatable`: a second call is harmless and answers the same, so a failed call is retried. `once`: never retried. */
export type Repeat = 'repeatable' | 'once';

/** Converts a value that is too large for one message, or that the receiver knows in part already. */
interface Form<Value, Given> {
  readonly send: (value: Value) => unknown;
  /** Takes what `send` returned. `given`: the arguments of the call, for a result. */
  readonly receive: (sent: never, given: Given) => Value | Promise<Value>;
}

/** Describes the calls of one method that needs more than {@link Repeat}. */
interface Route<Given extends readonly unknown[], Result> {
  readonly repeat: Repeat | ((...given: Given) => Repeat);
  readonly given?: Form<Given, readonly []>;
  readonly result?: Form<Result, Given>;
}

/** Describes the calls of every method of every port of an object. */
export type Routes<Ports> = {
  readonly [Port in keyof Ports]: {
    readonly [Method in keyof Ports[Port]]: Ports[Port][Method] extends (...given: infer Given) => Promise<infer Result>
      ? Repeat | Route<Given, Result>
      : never;
  };
};

/** A {@link Route} without the types of its method. {@link Routes} has checked them. */
interface AnyRoute {
  readonly repeat: Repeat | ((...given: readonly unknown[]) => Repeat);
  readonly given?: Form<readonly unknown[], readonly []>;
  readonly result?: Form<unknown, readonly unknown[]>;
}

export interface RemotePortOptions<Place> extends Pick<CallOptions<PortObject<Place>>, 'stub' | 'usage'> {
  readonly place: Place;
}

/**
 * Makes the caller's side of a port: each method is one call of the object, such as
 * `remotePort(accountPorts, 'catalog', { place: 'acme', stub, usage }).namespace('default')`.
 */
export function remotePort<Ports, Name extends keyof Ports & string, Place>(
  routes: Routes<Ports>,
  name: Name,
  { place, stub, usage }: RemotePortOptions<Place>,
): Ports[Name] {
  const methodOf =
    (method: string, { repeat, given: form, result }: AnyRoute) =>
    async (...given: readonly unknown[]): Promise<unknown> => {
      const repeatable = (typeof repeat === 'function' ? repeat(...given) : repeat) === 'repeatable';
      const answer = await callObject({ stub, usage, repeatable }, (object) =>
        // Converted for each attempt, because a stream can be read only once.
        object.callPort(name, place, method, form === undefined ? given : (form.send(given) as readonly unknown[])),
      );
      const value = valueOf(answer);
      return result === undefined ? value : result.receive(value as never, given);
    };
  const methods = Object.keys(routes[name]).map((method) => [method, methodOf(method, routeOf(routes, name, method))]);
  return Object.fromEntries(methods) as Ports[Name];
}

/** A call as the object receives it. */
export interface ReceivedCall {
  readonly port: string;
  readonly method: string;
  readonly given: readonly unknown[];
}

/**
 * Makes the object's side of a call.
 *
 * @param portsOf is called when the arguments have arrived.
 * @throws what the method throws, if its class means nothing to callers.
 */
export async function answerCall<Ports>(
  routes: Routes<Ports>,
  portsOf: () => Ports,
  { port, method, given: sent }: ReceivedCall,
): Promise<Answer> {
  const { given: form, result } = routeOf(routes, port, method);
  const given = form === undefined ? sent : await form.receive(sent as never, []);
  const adapter = portsOf()[port as keyof Ports] as Readonly<Record<string, () => Promise<unknown>>>;
  try {
    const value = await Reflect.apply(adapter[method] as () => Promise<unknown>, adapter, given);
    return { value: result === undefined ? value : result.send(value) };
  } catch (error) {
    if (error instanceof RepoGoneError) return { gone: true };
    if (error instanceof HostingError) return { failed: error.kind, items: error.items };
    throw error;
  }
}

/** Methods with the arguments of a port's methods, but perhaps other results. */
type Replacements<Port> = {
  readonly [Method in keyof Port]?: Port[Method] extends (...given: infer Given) => Promise<unknown>
    ? (...given: Given) => Promise<unknown>
    : never;
};

/** Replaces some methods of an adapter. Works for an instance of a class with private members. */
export function withMethods<Port extends object, Own extends Replacements<Port>>(
  port: Port,
  own: Own,
): Omit<Port, keyof NoInfer<Own>> & NoInfer<Own> {
  return new Proxy(port, {
    get(_, name) {
      const source = Object.hasOwn(own, name) ? own : port;
      const method: unknown = Reflect.get(source, name);
      return typeof method === 'function' ? (method.bind(source) as unknown) : method;
    },
  }) as unknown as Omit<Port, keyof Own> & Own;
}

/** @throws {TypeError} for a method that no port has. */
function routeOf<Ports>(routes: Routes<Ports>, port: string, method: string): AnyRoute {
  const found = Object.hasOwn(routes, port) ? (routes[port as keyof Ports] as Record<string, Repeat | AnyRoute>) : {};
  const route = Object.hasOwn(found, method) ? found[method] : undefined;
  if (route === undefined) throw new TypeError(`There is no method ${port}.${method}`);
  return typeof route === 'string' ? { repeat: route } : route;
}

/**
 * @throws {RepoGoneError}
 * @throws {HostingError}
 */
function valueOf(answer: Answer): unknown {
  if ('gone' in answer) throw new RepoGoneError('The repository was deleted');
  if ('failed' in answer) throw new HostingError(answer.failed, { items: answer.items });
  return answer.value;
}
