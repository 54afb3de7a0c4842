import type { ServeHere } from '../serve/options.ts';
import { serve } from '../serve/serve.ts';
import { openDenoSockets } from './sockets.ts';

/** Serves a data folder on Deno. */
export const serveDeno: ServeHere = (options) => serve(options, openDenoSockets);
