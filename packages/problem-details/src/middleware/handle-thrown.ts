import type { PlatformErrors } from '../response/platform-errors.ts';
import { isThrownPlatformError } from '../thrown/platform-error.ts';
import { cancelBody, clientIsGone } from './client.ts';
import { describeThrown } from '../thrown/describe-thrown.ts';
import { ownResponse } from './own-response.ts';

/**
 * The response to a request whose handler threw (section 12): that of the exception itself if it brings one (ERR-122),
 * the platform error (ERR-121), or the `unhandledCode` for anything else, which the log is told (ERR-123). `pending`
 * are headers that were set for the response before (ERR-129). Never rejects.
 */
export const handleThrown = async (
  errors: PlatformErrors,
  request: Request,
  thrown: unknown,
  pending?: Headers,
): Promise<Response> => (await ownResponse(thrown)) ?? renderThrown(errors, request, thrown, pending);

/** The same for what brings no response. */
export const renderThrown = async (
  errors: PlatformErrors,
  request: Request,
  thrown: unknown,
  pending?: Headers,
): Promise<Response> => {
  // Nobody is there to read it: an empty response, since there has to be one (ERR-128).
  if (clientIsGone(request)) return new Response(null, { status: 499 });
  cancelBody(request);
  if (isThrownPlatformError(thrown)) return errors.respond(request, thrown, pending);
  const response = await errors.respond(request, errors.settings.unhandledCode, pending);
  errors.log({ event: 'unhandled', ray_id: errors.rayIdOf(response), ...describeThrown(thrown) });
  return response;
};
