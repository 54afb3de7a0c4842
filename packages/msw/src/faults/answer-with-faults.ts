import type { PlatformErrors } from '@packhouse/problem-details';
import type { Answer } from '../handlers/intercept.ts';
import type { HeldService } from '../handlers/held-service.ts';
import type { Tenure } from '../handlers/tenure.ts';
import { withCredential } from './credential.ts';
import { isDropped, type EndingFault, type FaultList } from './fault-list.ts';
import { pause } from './pause.ts';

/** The service that faults are put in front of, as far as they need it. */
export interface FaultySurroundings<Content> {
  readonly faults: FaultList<Content>;
  /** Returns the service that a request arriving now will use. */
  readonly now: () => Tenure<HeldService<Content>, Content>;
  /** Creates the replies of the platform in front of the service. */
  readonly platform: PlatformErrors;
  /** A token that the service does not know. */
  readonly unknownToken: string;
}

/**
 * Wraps the service: answers requests, except where a fault applies. Each request uses one service only, even if a
 * reset happens meanwhile.
 */
export function answerWithFaults<Content>(surroundings: FaultySurroundings<Content>): Answer {
  const { faults, now, platform, unknownToken } = surroundings;
  const answer = async (
    request: Request,
    service: HeldService<Content>,
    ending: EndingFault | undefined,
  ): Promise<Response | undefined> => {
    switch (ending?.kind) {
      case 'rate limit':
        return await service.limited(request, ending.retryAfter);
      case 'expired token':
        return await service.answer(withCredential(request, unknownToken));
      default:
        return await service.answer(request);
    }
  };
  return async (request) => {
    const tenure = now();
    const { ready } = tenure;
    const { milliseconds, lifted, ending, changes } = faults.take(request);
    if (milliseconds > 0) await pause(milliseconds, [request.signal, lifted]);
    // A client that left during the wait never reaches the service.
    if (isDropped(ending, 'request') || (milliseconds > 0 && request.signal.aborted)) return 'dropped';
    if (ending?.kind === 'platform error') {
      return await platform.respond(request, { code: ending.code, retryAfter: ending.retryAfter });
    }
    const service = await ready;
    const response = await answer(request, service, ending);
    for (const { add, remove = [] } of changes) {
      await service.remove(remove);
      if (add !== undefined) await tenure.add(add);
    }
    if (!isDropped(ending, 'reply')) return response;
    // A push commits while its reply streams: read the reply to its end, so that the fault loses the reply, not the
    // push.
    await response?.arrayBuffer().catch(() => undefined);
    return 'dropped';
  };
}
