import type { Context, RestReply, TagsOptions } from '../core/context.ts';
import { rawGet } from '../tools/raw-get.ts';
import { replyOf } from '../tools/reply-of.ts';
import { sendRest } from './send-rest.ts';
import { waitOut } from './wait-out.ts';

/** Sends a tagging request below an account or a zone. Waits and retries after a reply 429, unless `waits` is false. */
export async function sendTags(
  context: Context,
  pause: (milliseconds: number) => Promise<void>,
  method: string,
  path: string,
  { at = 'account', waits = true, raw, ...options }: TagsOptions,
): Promise<RestReply> {
  const below = placeOf(context, at);
  const send = async (): Promise<RestReply> =>
    raw === true
      ? await sendRaw(context, method, below + path, options)
      : await sendRest(context, method, path, { ...options, base: context.origin + below });
  return waits ? await waitOut(send, pause) : await send();
}

function placeOf(context: Context, at: NonNullable<TagsOptions['at']>): string {
  const { basePath } = context.dialect;
  if (at === 'account') return `${basePath}/accounts/${context.account}`;
  if (at === 'zone') return `${basePath}/zones/${context.zoneId}`;
  return 'zone' in at ? `${basePath}/zones/${at.zone}` : `${basePath}/accounts/${at.account}`;
}

async function sendRaw(
  { origin, apiToken }: Context,
  method: string,
  path: string,
  { headers = {}, token = apiToken }: TagsOptions,
): Promise<RestReply> {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const reply = await rawGet(origin, path, { method, headers: Object.entries({ ...authorization, ...headers }) });
  return replyOf(reply, new TextDecoder().decode(reply.body));
}
