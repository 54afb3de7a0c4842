import type { PlatformErrors } from '../response/platform-errors.ts';
import { isThrownPlatformError } from '../thrown/platform-error.ts';
import { cancelBody, clientIsGone } from './client.ts';
import { describeThrown } from '../thrown/describe-thrown.ts';
import { ownResponse } from './own-response.ts';

/**
 * Makes the response for a request whose handler threw (section 12). It is the exception's own response if it has one
 * (ERR-122), the platform error (ERR-121), or `unhandledCode` for any other value, which is logged (ERR-123). `pending`
 * are headers that were set before (ERR-129). Never rejects.
 */
export const handleThrown = async (
  errors: PlatformErrors,
  request: Request,
  thrown: unknown,
  pending?: Headers,
): Promise<Response> => (await ownResponse(thrown)) ?? renderThrown(errors, request, thrown, pending);

/** Does the same for a value without its own response. */
export const renderThrown = async (
  errors: PlatformErrors,
  request: Request,
  thrown: unknown,
  pending?: Headers,
): Promise<Response> => {
  // The client has disconnected, so an empty response is enough (ERR-128).
  if (clientIsGone(request)) return new Response(null, { status: 499 });
  cancelBody(request);
  if (isThrownPlatformError(thrown)) return errors.respond(request, thrown, pending);
  const response = await errors.respond(request, errors.settings.unhandledCode, pending);
  errors.log({ event: 'unhandled', ray_id: errors.rayIdOf(response), ...describeThrown(thrown) });
  return response;
};
