import { createPlatformErrors, type PlatformErrors } from '@packhouse/problem-details';

/** Errors of both apps, with an own code and a log on standard output. */
export const errors: PlatformErrors = createPlatformErrors({
  site: 'TST',
  ownCodes: [
    {
      code: 2404,
      short_name: 'No such page',
      http_status: 404,
      category: 'x_app',
      error_name: 'no_such_page',
      retryable: false,
      owner_action_required: false,
      responsible: 'visitor',
      detail: 'The app has no page at this address, and the visitor is responsible for the address.',
      what_you_should_do: '**Do not retry.** Check the address.',
    },
  ],
  ownCategories: ['x_app'],
  log: (record) => console.log(JSON.stringify(record)),
});
