import { errorsOf, type OptionsOrErrors } from './errors-of.ts';
import { handleThrown } from './handle-thrown.ts';
import { watchBody } from './watch-body.ts';

/**
 * A handler of requests, with whatever else its runtime hands to it. On Bun it returns nothing for a request that became
 * a web socket.
 */
export type FetchHandler<
  Asked extends Request,
  Rest extends readonly unknown[],
  Reply extends Response | undefined = Response,
> = (request: Asked, ...rest: Rest) => Reply | Promise<Reply>;

/**
 * Wraps a `fetch` handler of Workers, `Deno.serve` or `Bun.serve`, so that what it throws is answered (section 12):
 * `export default { fetch: withPlatformErrors(handler) }`. A response that it returns is passed through (ERR-120). Since
 * nothing is thrown any more, `passThroughOnException()` of a Worker has nothing to do.
 *
 * @throws {Error} at once if the handler is no function, or an option is wrong, naming it.
 */
export const withPlatformErrors = <
  Asked extends Request = Request,
  Rest extends readonly unknown[] = [],
  Reply extends Response | undefined = Response,
>(
  handler: FetchHandler<Asked, Rest, Reply>,
  optionsOrErrors?: OptionsOrErrors,
): ((request: Asked, ...rest: Rest) => Promise<Reply | Response>) => {
  // Told now, not in the log at each request: an app in place of its `fetch` is an easy mistake.
  if (typeof handler !== 'function')
    throw new TypeError(
      'withPlatformErrors takes a function of the request, such as `(request) => app.fetch(request)`',
    );
  const errors = errorsOf(optionsOrErrors);
  // With its `this`: the server in Bun, the object in a Worker.
  return async function (this: unknown, request, ...rest) {
    try {
      const reply = await handler.call(this, request, ...rest);
      return reply === undefined ? reply : await watchBody(errors, request, reply);
    } catch (thrown) {
      return handleThrown(errors, request, thrown);
    }
  };
};
