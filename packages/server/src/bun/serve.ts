import type { ServeHere } from '../serve/options.ts';
import { serve } from '../serve/serve.ts';
import { openBunSockets } from './sockets.ts';

/** Serves a data folder on Bun. */
export const serveBun: ServeHere = (options) => serve(options, openBunSockets);
