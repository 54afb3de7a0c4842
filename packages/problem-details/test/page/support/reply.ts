import { contentSecurityPolicy } from '@packhouse/problem-details';

/** A reply for the browser. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const contentType = 'text/html; charset=utf-8';

/** A page with the status of code 522 and the policy of section 5. */
export const pageReply = (body: string): Reply => ({
  status: 522,
  headers: { 'content-type': contentType, 'content-security-policy': contentSecurityPolicy },
  body,
});

/** The same without a policy, so that all its actions are possible. */
export const unguardedReply = (body: string): Reply => ({
  status: 522,
  headers: { 'content-type': contentType },
  body,
});

/** Converts a response with all headers. */
export const replyOf = async (response: Response): Promise<Reply> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: await response.text(),
});
