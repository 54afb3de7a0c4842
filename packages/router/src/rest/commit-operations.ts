import type { Operation } from './operations.ts';
import { repoOf } from './repo-of.ts';

const repo = '/namespaces/{namespace}/repos/{repo_name}';
const keyHeader = 'Idempotency-Key';

/** The operations that make commits, and blobs for them (REPO-250, REPO-256). */
export const commitOperations: readonly Operation[] = [
  {
    id: 'createCommit',
    summary: 'Commit changes of files to a branch, which is created if it is new',
    method: 'post',
    path: `${repo}/commits`,
    permission: 'edit',
    status: 201,
    body: 'createCommit',
    isStreamed: true,
    headers: {
      [keyHeader]:
        '1 to 255 visible ASCII characters of your own: a retry with it returns the first result, and commits nothing',
    },
    result: 'newCommit',
    run: async ({ commits, settings }, call) => ({
      result: await commits.create(repoOf(call), call.stream(settings.commit_body_max), {
        work: call.work,
        key: keyOf(call.header(keyHeader)),
      }),
    }),
  },
  {
    id: 'createBlob',
    summary: 'Store the content of a file, for a commit that names its hash',
    method: 'post',
    path: `${repo}/blobs`,
    permission: 'edit',
    status: 201,
    isUpload: true,
    result: 'newBlob',
    run: async ({ commits }, call) => ({ result: await commits.writeBlob(repoOf(call), call.upload(), call.work) }),
  },
];

/** Returns the key of a header, which may be a string of RFC 9651 §3.3.3 or bare. */
function keyOf(header: string | null): string | undefined {
  const quoted = header === null ? null : /^"(.*)"$/.exec(header.trim());
  return quoted?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? header ?? undefined;
}
