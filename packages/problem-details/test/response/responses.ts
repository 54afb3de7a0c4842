import type { OwnEntry } from '../../src/catalogue/entry.ts';
import type { LocalTexts } from '../../src/problem/localise.ts';
import { englishLabels } from '../../src/problem/labels.ts';
import type { PlatformProblem } from '../../src/problem/problem.ts';

/** A request for a page of `shop.example`. */
export const requestFor = (accept?: string, init: RequestInit = {}): Request => {
  const headers = new Headers(init.headers);
  if (accept !== undefined) headers.set('accept', accept);
  return new Request('https://shop.example/a/page', { ...init, headers });
};

/** A request for the JSON form. */
export const requestForJson = (headers: Record<string, string> = {}): Request =>
  requestFor('application/json', { headers });

/** Parses the problem in a JSON response. */
export const problemOf = async (response: Response): Promise<PlatformProblem> =>
  JSON.parse(await response.text()) as PlatformProblem;

/** A retryable own code. */
export const ownEntry: OwnEntry = {
  code: 2000,
  short_name: 'Kitchen closed',
  http_status: 503,
  category: 'x_kitchen',
  error_name: 'kitchen_closed',
  retryable: true,
  retry_after: 600,
  owner_action_required: true,
  responsible: 'owner',
  detail: 'The kitchen is closed, and the site owner is responsible for its hours.',
  what_you_should_do: '**Wait and retry.** Come back when the kitchen is open.',
};

/** Texts in another language. */
export const otherTexts: LocalTexts = {
  short_name: 'Anderer Name',
  detail: 'Ein anderer Text.',
  what_you_should_do: '**Do not retry.** Ein anderer Rat.',
  footer: 'Ein anderer Fuß.',
  labels: englishLabels,
};

/** The formats of error responses. */
export const mediaTypes = ['text/html', 'application/json', 'application/problem+json', 'text/markdown'] as const;
