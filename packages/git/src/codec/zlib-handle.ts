/**
 * The part of the native half of a zlib stream that codecs use. It is the same since Node 0.11, but not documented.
 */
export interface ZlibHandle {
  onerror: (message: string, errno: number, code: string) => void;
  /** Used by workerd instead of `onerror`. */
  setErrorHandler?(handler: (errno: number, code: string, message: string) => void): void;
  reset(): void;
  writeSync(
    flush: number,
    input: Uint8Array,
    inputStart: number,
    inputLength: number,
    output: Uint8Array,
    outputStart: number,
    outputLength: number,
  ): void;
}

export interface ZlibInternals {
  readonly _handle: ZlibHandle;
  /** Output space and input that the last write did not use. */
  readonly _writeState: Uint32Array;
}
