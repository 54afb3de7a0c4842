/** What a server touches outside of its process: what a runtime with permissions must let it. */
export interface ServePlaces {
  readonly host: string;
  readonly port: number;
  /** Absolute. */
  readonly data: string;
  /** Absolute paths of configuration, certificate and key. */
  readonly files: readonly string[];
}
