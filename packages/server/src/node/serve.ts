import type { Serve } from '../serve/options.ts';
import { serve } from '../serve/serve.ts';
import { openNodeSockets } from './sockets.ts';

export type { ServeOptions, Serving } from '../serve/options.ts';

/** Serves a data folder on Node. */
export const serveNode: Serve = (options) => serve(options, openNodeSockets);
