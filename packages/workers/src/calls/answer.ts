import { RepoGoneError } from '@packhouse/git';

/** What a call of an object answers. Errors that mean something travel as values, since classes do not travel. */
export type Answer<T> = { readonly value: T } | { readonly gone: true };

/** Makes an answer of what a method of a port does. */
export async function answerOf<T>(work: Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await work };
  } catch (error) {
    if (error instanceof RepoGoneError) return { gone: true };
    throw error;
  }
}

/** @throws {RepoGoneError} if that was the answer. */
export function valueOf<T>(answer: Answer<T>): T {
  if ('gone' in answer) throw new RepoGoneError('The repository was deleted');
  return answer.value;
}
