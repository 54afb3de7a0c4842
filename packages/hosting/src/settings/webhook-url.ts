import { isExempt } from '../outbound/reachable-addresses.ts';
import { isLoopback } from '../outbound/loopback.ts';

/**
 * Returns the fault of the URL of a webhook sink as the end of a sentence; undefined without a fault. Plain HTTP is only
 * for this machine, and only if `allowed`, the value of `setting`, has its host.
 */
export function webhookUrlProblem(
  text: string,
  allowed: readonly string[],
  setting: 'webhook_allow' | 'user_webhook_allow' = 'webhook_allow',
): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL such as https://hooks.example/packhouse (REPO-200)';
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== '' || password !== '') return 'must not hold a user name or a password (REPO-200)';
  if (hash !== '') return 'must not have a fragment (REPO-200)';
  if (protocol === 'https:') return undefined;
  const isHere = protocol === 'http:' && isLoopback(hostname) && isExempt(hostname, allowed);
  return isHere ? undefined : `must be https, or http to a loopback host that ${setting} lists (REPO-201)`;
}
