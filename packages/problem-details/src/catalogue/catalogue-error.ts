/** An invalid catalogue (ERR-143). The message names the entry, the member and the rule. */
export class CatalogueError extends Error {
  override readonly name: string = 'CatalogueError';
  /** The invalid part: an own code (`own code 2000`), the texts of a code, or a category. */
  readonly entry: string;

  constructor(entry: string, fault: string) {
    super(`${entry}: ${fault}`);
    this.entry = entry;
  }
}
