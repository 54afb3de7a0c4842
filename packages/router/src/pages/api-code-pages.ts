import { errorAdvice, repoErrors, type ErrorRow, type RepoErrorKind } from '@packhouse/base';
import { taggingErrors } from '@packhouse/tagging';
import type { Page } from './page.ts';

/** Errors of the checks that run before tagging's own checks (TAG-170). */
const beforeTagging: readonly RepoErrorKind[] = [
  'noMethod',
  'noRoute',
  'authentication',
  'permission',
  'internal',
  'memoryLimit',
  'bodyTooLarge',
  'mediaType',
  'rate',
  'overloaded',
  'storageGone',
  'storageUnavailable',
  'storageFull',
];

/** Makes the page that `documentation_url` of repository errors links to, with an anchor for each code (REPO-213). */
export function repoCodesPage(): Page {
  return codesPage('Errors of the REST API', Object.values(repoErrors));
}

/** Makes the page of tagging errors (TAG-024), whose codes have other meanings. */
export function tagCodesPage(): Page {
  const rows = [...Object.values(taggingErrors), ...beforeTagging.map((kind) => repoErrors[kind])];
  return codesPage('Errors of tags', rows);
}

function codesPage(title: string, rows: readonly ErrorRow[]): Page {
  const sorted = rows.toSorted((one, other) => one.code - other.code || one.status - other.status);
  const codes = Map.groupBy(sorted, ({ code }) => code);
  return {
    title,
    intro: [
      'A reply that fails has `"success": false`, and in `errors` what was wrong: a `code`, a `message`, and for a bad value `source.pointer`, which names the member or parameter. `reason` is the case in one word for programs, `retryable` says whether the same request may succeed later, and `hint` what to do next. Some messages say more than those here.',
    ],
    sections: [...codes].map(([code, members]) => ({
      id: String(code),
      heading: String(code),
      blocks: [
        {
          items: members.map(({ status, message, reason, hint }) => `${status} \`${reason}\`: \`${message}\`. ${hint}`),
        },
      ],
    })),
    data: {
      errors: sorted.map((row) => ({
        code: row.code,
        status: row.status,
        message: row.message,
        ...errorAdvice(row),
      })),
    },
  };
}
