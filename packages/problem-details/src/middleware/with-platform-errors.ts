import { errorsOf, type OptionsOrErrors } from './errors-of.ts';
import { handleThrown } from './handle-thrown.ts';
import { watchBody } from './watch-body.ts';

/**
 * A request handler, with the additional arguments of its runtime. On Bun it returns undefined for a request that
 * became a web socket.
 */
export type FetchHandler<
  Asked extends Request,
  Rest extends readonly unknown[],
  Reply extends Response | undefined = Response,
> = (request: Asked, ...rest: Rest) => Reply | Promise<Reply>;

/**
 * Wraps a `fetch` handler of Workers, `Deno.serve` or `Bun.serve`, so that errors it throws are answered (section 12):
 * `export default { fetch: withPlatformErrors(handler) }`. Passes its responses through (ERR-120).
 * `passThroughOnException()` of a Worker has no effect, since nothing is thrown any more.
 *
 * @throws {Error} if the handler is not a function, or for an invalid option, naming it.
 */
export const withPlatformErrors = <
  Asked extends Request = Request,
  Rest extends readonly unknown[] = [],
  Reply extends Response | undefined = Response,
>(
  handler: FetchHandler<Asked, Rest, Reply>,
  optionsOrErrors?: OptionsOrErrors,
): ((request: Asked, ...rest: Rest) => Promise<Reply | Response>) => {
  // Passing an app instead of its `fetch` is an easy mistake, so fail at start, not in the log of each request.
  if (typeof handler !== 'function')
    throw new TypeError(
      'withPlatformErrors takes a function of the request, such as `(request) => app.fetch(request)`',
    );
  const errors = errorsOf(optionsOrErrors);
  // Keep `this`: the server in Bun, the object in a Worker.
  return async function (this: unknown, request, ...rest) {
    try {
      const reply = await handler.call(this, request, ...rest);
      return reply === undefined ? reply : await watchBody(errors, request, reply);
    } catch (thrown) {
      return handleThrown(errors, request, thrown);
    }
  };
};
