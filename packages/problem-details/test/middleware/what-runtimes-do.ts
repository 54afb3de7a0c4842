import type { RuntimeName } from '../runtimes/running-entry.ts';

/** Where runtimes differ, beside what this package does. README.md of the package tells the same. */
export interface WhatARuntimeDoes {
  /** Whether it leaves out the last chunk of a body that breaks, so that the client sees that it is not whole. */
  readonly cutsChunked: boolean;
  /** Whether a client that leaves before the response is told of by the signal of the request. */
  readonly tellsOfLeaving: boolean;
  /** The same for one that leaves amid a body that it sends. */
  readonly tellsOfLeavingUpload: boolean;
  /** Whether a body is cancelled when its client leaves; else it is just not read any more. */
  readonly cancelsBody: boolean;
}

const usual: WhatARuntimeDoes = {
  cutsChunked: true,
  tellsOfLeaving: true,
  tellsOfLeavingUpload: true,
  cancelsBody: true,
};

export const whatRuntimesDo: Readonly<Record<RuntimeName, WhatARuntimeDoes>> = {
  node: usual,
  deno: { ...usual, tellsOfLeavingUpload: false },
  bun: usual,
  workerd: {
    // cloudflare/workerd issue 6818.
    cutsChunked: false,
    tellsOfLeaving: false,
    tellsOfLeavingUpload: false,
    cancelsBody: false,
  },
};
