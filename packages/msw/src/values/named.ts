import { HostingError } from '@packhouse/base';

/**
 * Adds the missing thing or the refused member to an error. The service leaves it out, because its clients know what
 * they asked for.
 *
 * @throws {Error} if the service refuses.
 */
export function named<Result>(what: string, work: Promise<Result>): Promise<Result> {
  return told(work, ({ status, items: [{ message, pointer }] }) => {
    if (status === 404) return `${message}: ${JSON.stringify(what)}`;
    return pointer === undefined ? message : `${pointer.slice(1)}: ${message}`;
  });
}

/**
 * Turns a refusal of the service into an error for people.
 *
 * @throws {Error}
 */
export async function told<Result>(
  work: Promise<Result>,
  sentence: (error: HostingError) => string = ({ items }) => items.map(({ message }) => message).join('; '),
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof HostingError)) throw error;
    throw new Error(sentence(error), { cause: error });
  }
}
