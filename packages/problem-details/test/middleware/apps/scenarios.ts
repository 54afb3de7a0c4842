import { returned } from './bodies.ts';
import { thrown } from './throwing.ts';
import { readUpload, waitForTheClientToGo } from './waiting.ts';

/** Handles the requests of a path. */
export type Scenario = (request: Request) => Response | Promise<Response>;

/** All scenarios of both apps, by path. `/throw/` throws synchronously, `/reject/` later. */
export const scenarios: ReadonlyMap<string, Scenario> = new Map<string, Scenario>([
  ...Object.entries(returned).map(([name, scenario]) => [`/return/${name}`, scenario] as const),
  ...Object.entries(thrown).map(([name, make]) => {
    const throwNow = (): Response => {
      throw make();
    };
    return [`/throw/${name}`, throwNow] as const;
  }),
  ...Object.entries(thrown).map(([name, make]) => {
    const rejectLater = async (): Promise<Response> => {
      await new Promise((resolve) => setTimeout(resolve));
      throw await make();
    };
    return [`/reject/${name}`, rejectLater] as const;
  }),
  ['/gone', waitForTheClientToGo],
  ['/upload', readUpload],
]);
