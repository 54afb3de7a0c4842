import { HostingError, repoErrors, type ErrorItem, type RepoErrorKind } from '@packhouse/base';

/** Why a change was not made, for clients. */
export interface Failure extends ErrorItem {
  readonly kind: RepoErrorKind;
}

interface FailureFacts extends Pick<ErrorItem, 'pointer' | 'details'> {
  /** Follows the text of the kind, as in `The update was refused: nothing to commit`. Default: nothing does. */
  readonly reason?: string;
}

export function failure(kind: RepoErrorKind, { reason, ...more }: FailureFacts = {}): Failure {
  const { code, message } = repoErrors[kind];
  return { kind, code, message: reason === undefined ? message : `${message}: ${reason}`, ...more };
}

/** Makes one error of failures. The first decides its status. */
export function failed(failures: readonly [Failure, ...Failure[]]): HostingError {
  return new HostingError(failures[0].kind, { items: failures });
}
