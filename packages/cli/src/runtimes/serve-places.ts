/** The files and addresses that a server uses, and that a runtime with permissions must allow. */
export interface ServePlaces {
  readonly host: string;
  readonly port: number;
  /** Absolute path. */
  readonly data: string;
  /** Absolute paths of configuration, certificate and key. */
  readonly files: readonly string[];
}
