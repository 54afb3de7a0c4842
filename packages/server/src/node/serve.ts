import type { ServeHere } from '../serve/options.ts';
import { serve } from '../serve/serve.ts';
import { openNodeSockets } from './sockets.ts';

export type { ServeOptions, Serving, ServingHere } from '../serve/options.ts';

/** Serves a data folder on Node. */
export const serveNode: ServeHere = (options) => serve(options, openNodeSockets);
