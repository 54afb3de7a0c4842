import type { RuntimeName } from '../runtimes/running-entry.ts';

/** Differences of the runtimes that this package does not control. The README of the package lists the same. */
export interface WhatARuntimeDoes {
  /** Omits the last chunk of a body that breaks, so that the client sees that it is incomplete. */
  readonly cutsChunked: boolean;
  /** The signal of the request reports a client that leaves before the response. */
  readonly tellsOfLeaving: boolean;
  /** The same for a client that leaves during its upload. */
  readonly tellsOfLeavingUpload: boolean;
  /** Cancels a body when its client leaves; otherwise it just stops reading. */
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
