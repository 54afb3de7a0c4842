/** The files and addresses that a server uses, and that a runtime with permissions must allow. */
export interface ServePlaces {
  readonly host: string;
  readonly port: number;
  /** Absolute path. */
  readonly data: string;
  /** Absolute paths of configuration, certificate and key. */
  readonly files: readonly string[];
  /** Set if servers share a database. `folder`: absolute path of shared packs, if they are in a folder. */
  readonly shared?: { readonly folder: string | undefined } | undefined;
}
