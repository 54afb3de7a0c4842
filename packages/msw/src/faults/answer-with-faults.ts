import type { PlatformErrors } from '@packhouse/problem-details';
import type { Answer } from '../handlers/intercept.ts';
import { withCredential } from './credential.ts';
import type { ChangedPageFault } from './fault.ts';
import { isDropped, type FaultList } from './fault-list.ts';

/** What faults need of the service that they are put before. */
export interface FaultySurroundings<Content> {
  readonly faults: FaultList<Content>;
  /** The service as it is. */
  readonly answer: (request: Request) => Promise<Response | undefined>;
  /** The service when its rate is used up. */
  readonly limited: (request: Request, retryAfter: number) => Promise<Response | undefined>;
  /** Makes the replies of the platform in front of the service. */
  readonly platform: PlatformErrors;
  /** A token that the service does not know. */
  readonly unknownToken: string;
  readonly change: (fault: ChangedPageFault<Content>) => Promise<void>;
}

/** Answers as the service does, but for what goes wrong. */
export function answerWithFaults<Content>(surroundings: FaultySurroundings<Content>): Answer {
  const { faults, answer, limited, platform, unknownToken, change } = surroundings;
  return async (request) => {
    const { milliseconds, ending, changes } = faults.take(request);
    if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
    if (isDropped(ending, 'request')) return 'dropped';
    let response: Response | undefined;
    switch (ending?.kind) {
      case 'platform error':
        response = await platform.respond(request, { code: ending.code, retryAfter: ending.retryAfter });
        break;
      case 'rate limit':
        response = await limited(request, ending.retryAfter);
        break;
      case 'expired token':
        response = await answer(withCredential(request, unknownToken));
        break;
      default:
        response = await answer(request);
    }
    for (const fault of changes) await change(fault);
    return isDropped(ending, 'reply') ? 'dropped' : response;
  };
}
