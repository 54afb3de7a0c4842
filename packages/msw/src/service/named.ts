import { HostingError } from '@packhouse/hosting';

/** Names in an error what it says is not there: the service does not, as its clients know what they asked for. */
export async function named<Result>(what: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof HostingError) || error.status !== 404) throw error;
    throw new Error(`${error.items[0].message}: ${JSON.stringify(what)}`, { cause: error });
  }
}
