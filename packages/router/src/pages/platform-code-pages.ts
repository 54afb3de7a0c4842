import { builtInEntries, describeError, type Entry, type ReportSettings } from '@packhouse/problem-details';
import type { Page } from './page.ts';

/** Returns the pages that `type` of error responses links to, by path: one for each code, and a list (REPO-213). */
export function platformCodePages(
  settings: ReportSettings,
  hasRoute: boolean,
): readonly (readonly [path: string, page: () => Page])[] {
  return [
    ['/docs/errors', () => codeList(settings)],
    ...builtInEntries.map(
      (entry) => [`/docs/errors/${entry.code}`, () => codePage(entry, settings, hasRoute)] as const,
    ),
  ];
}

const parties: Readonly<Record<Entry['responsible'], string>> = {
  visitor: 'The visitor',
  owner: 'The owner of the site',
  platform: 'The platform',
};

function codeList(settings: ReportSettings): Page {
  return {
    title: 'Error pages of sites',
    intro: [
      'When a request to a host of a site cannot be answered, the reply is one of these errors: a page for people, JSON (RFC 9457) or Markdown for programs, as `Accept` asks.',
      { items: builtInEntries.map(({ code, short_name }) => `[${code} ${short_name}](/docs/errors/${code})`) },
    ],
    sections: [],
    data: { errors: builtInEntries.map((entry) => dataOf(entry, settings)) },
  };
}

function codePage(entry: Entry, settings: ReportSettings, hasRoute: boolean): Page {
  const data = dataOf(entry, settings);
  return {
    title: String(data['title']),
    number: { value: entry.code, words: entry.short_name },
    intro: [entry.detail],
    sections: [
      { heading: 'What you can do', blocks: [entry.what_you_should_do] },
      {
        heading: 'About this code',
        blocks: [
          {
            items: [
              `Name: \`${entry.error_name}\`, of the category \`${String(data['error_category'])}\``,
              `HTTP status: ${entry.http_status}`,
              `Who can act: ${parties[entry.responsible]}`,
              `Try again: ${entry.retryable ? `yes, after ${entry.retry_after} seconds unless the reply says otherwise` : 'no, the same request fails again'}`,
            ],
          },
          `${hasRoute ? `[How this error looks](/cdn-cgi/error/${entry.code}) · ` : ''}[All codes](/docs/errors)`,
        ],
      },
    ],
    data,
  };
}

/** Members of an error response that differ between replies, or that name the service. */
const ofOneReply = new Set(['instance', 'ray_id', 'timestamp', 'zone', 'footer']);

function dataOf(entry: Entry, settings: ReportSettings): Readonly<Record<string, unknown>> {
  const { problem } = describeError(entry, { rayId: '', now: 0, zone: '' }, settings);
  return Object.fromEntries(Object.entries(problem).filter(([name]) => !ofOneReply.has(name)));
}
