/** The outside of a command, passed in so that tests can stand for it. */
export interface Io {
  /** Writes to standard output: results alone. */
  readonly out: (text: string) => void;
  /** Writes to standard error: logs and errors. */
  readonly err: (text: string) => void;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Width of the terminal; absent if neither is one, or it does not tell. */
  readonly columns?: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  /** How a user calls this program: `packhouse`, or `npx -y pnpm@12 packhouse` in a checkout. */
  readonly program: string;
  /**
   * Shows a question on the terminal and resolves to the line that is typed; empty at the end of input. Absent where
   * nobody can answer.
   */
  readonly ask?: (question: string) => Promise<string>;
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * Becomes another program, in this process: signals, exit code and all streams are its own from then on. Absent
   * where the system cannot.
   */
  readonly replaceProcess?: (file: string, args: readonly string[]) => unknown;
  /** Calls `listener` for each SIGTERM and SIGINT until the answer is called. */
  readonly onSignal: (listener: () => void) => () => void;
}
