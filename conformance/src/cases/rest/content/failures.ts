import { badField, type Failure } from '../../../steps/replies.ts';

/** The failures for missing things (REPO-144, REPO-147, REPO-167, REPO-220). */
export const notFound: Readonly<Record<'commit' | 'tree' | 'blob' | 'file' | 'ref', Failure>> = {
  commit: { status: 404, code: 10200, message: 'Commit not found' },
  tree: { status: 404, code: 10200, message: 'Tree not found' },
  blob: { status: 404, code: 10200, message: 'Blob not found' },
  file: { status: 404, code: 10200, message: 'File not found' },
  ref: { status: 404, code: 10200, message: 'Ref not found' },
};

/** REPO-140. */
export const badHash: Failure = badField('hash', 'Invalid SHA-1 hash');
