import { userAgent } from './user-agent.ts';

/** Deno drops `Content-Encoding` from what it unpacks; workerd unpacks nothing that is only passed on. */
const truthful = /^(?:Deno\/|Cloudflare-Workers)/;

/**
 * Asks for a body that is not compressed, where `fetch` would unpack it and leave the header that says otherwise, as Node
 * and Bun do: whoever gets such a response passed on cannot read it.
 */
export function askForReadableBody(headers: Headers): void {
  if (!truthful.test(userAgent())) headers.set('Accept-Encoding', 'identity');
}
