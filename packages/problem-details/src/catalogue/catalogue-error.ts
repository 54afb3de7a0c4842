/** Something that a catalogue may not have (ERR-143). The message names the entry, the member and the rule. */
export class CatalogueError extends Error {
  override readonly name: string = 'CatalogueError';
  /** What is wrong: an own code, such as `own code 2000`, the texts of a code, or a category. */
  readonly entry: string;

  constructor(entry: string, fault: string) {
    super(`${entry}: ${fault}`);
    this.entry = entry;
  }
}
