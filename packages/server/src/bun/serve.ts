import type { Serve } from '../serve/options.ts';
import { serve } from '../serve/serve.ts';
import { openBunSockets } from './sockets.ts';

/** Serves a data folder on Bun. */
export const serveBun: Serve = (options) => serve(options, openBunSockets);
