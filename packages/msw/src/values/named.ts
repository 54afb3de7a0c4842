import { told } from './told.ts';

/**
 * Names in an error what is not there, or the member that is refused: the service does not, as its clients know what they
 * asked for.
 *
 * @throws {Error} for what the service refuses.
 */
export function named<Result>(what: string, work: Promise<Result>): Promise<Result> {
  return told(work, ({ status, items: [{ message, pointer }] }) => {
    if (status === 404) return `${message}: ${JSON.stringify(what)}`;
    return pointer === undefined ? message : `${pointer.slice(1)}: ${message}`;
  });
}
