/** A connection that failed, in words. */
export interface ConnectionFailure {
  /** The step that failed, for a hint. */
  readonly kind: 'nothing listens' | 'unknown host' | 'certificate' | 'broken off' | 'unreachable';
  /** One sentence. */
  readonly message: string;
}

/** Returns the `code` of a failed system call (`ENOENT`), or undefined. */
export function systemErrorCode(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** True if the connection ended before the reply. */
export function isBroken(error: unknown): boolean {
  return /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(codeOf(error) ?? '');
}

/** Describes why a request to `base` got no reply. */
export function connectionFailure(error: unknown, base: string): ConnectionFailure {
  const code = codeOf(error);
  if (code === 'ECONNREFUSED') return { kind: 'nothing listens', message: `Nothing listens at ${base}.` };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { kind: 'unknown host', message: `The host of ${base} is not known.` };
  if (code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code))
    return { kind: 'certificate', message: `The certificate of ${base} is not trusted (${code}).` };
  if (code !== undefined && /SSL|EPROTO|HPE_|UND_ERR_SOCKET|ECONNRESET/.test(code))
    return { kind: 'broken off', message: `${base} broke the connection off (${code}).` };
  return { kind: 'unreachable', message: `${base} cannot be reached (${reasonOf(error, code)}).` };
}

/** `fetch` wraps the error of the system. */
function codeOf(error: unknown): string | undefined {
  return systemErrorCode((error as { readonly cause?: unknown } | null)?.cause) ?? systemErrorCode(error);
}

/**
 * Returns the reason of a failure in words. A system error code is mapped to words; without a code (a port that `fetch`
 * blocks) the text of the client is used.
 */
function reasonOf(error: unknown, code: string | undefined): string {
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'no answer in time';
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return `no way to that host, ${code}`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return code ?? (cause instanceof Error ? cause.message.slice(0, 100) : 'for no reason that is known');
}
