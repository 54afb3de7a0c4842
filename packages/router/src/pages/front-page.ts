import type { Hosting } from '@packhouse/hosting';
import type { Page } from './page.ts';
import { seenOrigin, seenRemote } from './seen-address.ts';

/** The input of {@link frontPage}. */
export interface FrontPageOptions {
  readonly hosting: Pick<Hosting, 'dialect' | 'settings' | 'remotes'>;
  readonly isReady: boolean;
  /** True if the service has `/openapi.json`. */
  readonly hasOpenapi: boolean;
  readonly hasTags: boolean;
  /** The URL of the request. */
  readonly url: URL;
}

/** The account of the default settings. The page is public, so it shows no other account names. */
const usualAccount = 'local';

/**
 * Makes the page at `/`: a description of the service, its health, and the first commands with its real addresses
 * (REPO-211).
 */
export function frontPage({ hosting, isReady, hasOpenapi, hasTags, url }: FrontPageOptions): Page {
  const { dialect, settings, remotes } = hosting;
  const { accounts } = settings;
  const isUsual = accounts !== 'any' && accounts.includes(usualAccount);
  const account = isUsual ? usualAccount : '$ACCOUNT';
  const origin = seenOrigin(settings, url);
  const rest = `${origin}${dialect.basePath}/accounts/${account}/${dialect.serviceSegment}`;
  const remote = seenRemote(remotes.fill({ account, namespace: 'default', repo: 'hello' }), settings, url);
  const withToken = 'git -c http.extraHeader="Authorization: Bearer $TOKEN"';
  const commands = [
    `curl -sS ${rest}/namespaces/default/repos \\
  -H "Authorization: Bearer $API_TOKEN" \\
  -H 'Content-Type: application/json' -d '{"name":"hello"}'`,
    `${withToken} \\\n  push ${remote} HEAD:refs/heads/main`,
    `${withToken} \\\n  clone ${remote}`,
  ] as const;
  const status = isReady ? 'ready' : 'not ready';
  return {
    title: 'Packhouse',
    intro: [
      'This server hosts Git repositories for programs: a REST request creates one, and Git pushes to it and clones it.',
      `The server is **${status}**.`,
    ],
    sections: [
      {
        heading: 'First commands',
        blocks: [
          `Create a repository. \`$API_TOKEN\` is an API token of this server${isUsual ? '' : ', and `$ACCOUNT` the account that it is for'}; the command \`packhouse serve\` prints where it keeps its own.`,
          { code: commands[0] },
          'The reply has a `token` for Git, which is for this one repository. Put it into `$TOKEN`, and push a project of yours.',
          { code: commands[1] },
          'Clone it.',
          { code: commands[2] },
        ],
      },
      {
        heading: 'Documentation',
        blocks: [
          {
            items: [
              '[Operations of the REST API, each with an example](/docs)',
              ...(hasOpenapi ? ['[The same for programs, as OpenAPI](/openapi.json)'] : []),
              '[Errors of the REST API](/docs/repos/errors)',
              ...(hasTags ? ['[Errors of tags](/docs/tags/errors)'] : []),
              '[Error pages of sites, by their codes](/docs/errors)',
            ],
          },
        ],
      },
    ],
    data: {
      name: 'Packhouse',
      status,
      rest_url: rest,
      docs_url: `${origin}/docs`,
      ...(hasOpenapi && { openapi_url: `${origin}/openapi.json` }),
      commands,
    },
  };
}
