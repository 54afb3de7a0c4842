/** The environment of a command, passed in so that tests can replace it. */
export interface Io {
  /** Writes to standard output, which is for results only. */
  readonly out: (text: string) => void;
  /** Writes a result of bytes to standard output, unchanged, and waits for a slow reader. Ends early if it has gone. */
  readonly outBytes: (bytes: ReadableStream<Uint8Array>) => Promise<void>;
  /** Writes to standard error, which is for logs and errors. */
  readonly err: (text: string) => void;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Width of the terminal; absent if there is no terminal, or it does not report its width. */
  readonly columns?: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory, absolute. */
  readonly cwd: string;
  /** How the user calls this program: `packhouse`, or `npx -y pnpm@12 packhouse` in a checkout. */
  readonly program: string;
  /**
   * Asks a question on the terminal and resolves to the typed line; empty at the end of input. Absent without a
   * terminal.
   */
  readonly ask?: (question: string) => Promise<string>;
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * Replaces this process by another program, which then receives signals, sets the exit code and owns all streams.
   * Absent where the system cannot do this.
   */
  readonly replaceProcess?: (file: string, args: readonly string[]) => unknown;
  /** Calls `listener` for each SIGTERM and SIGINT until the returned function is called. */
  readonly onSignal: (listener: () => void) => () => void;
}
