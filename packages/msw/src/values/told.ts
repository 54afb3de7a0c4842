import { HostingError } from '@packhouse/base';

/** What the service says is wrong, as an error for people. @throws {Error} */
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
