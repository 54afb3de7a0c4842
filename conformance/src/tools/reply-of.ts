import type { RestReply } from '../core/context.ts';

/** Returns a reply for cases, with its body as text. */
export function replyOf({ status, headers }: Pick<RestReply, 'status' | 'headers'>, text: string): RestReply {
  return { status, headers, text, json: parseJson(text) };
}

/** Returns the value of a text of JSON; undefined for other texts. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
