import { StartError, systemErrorCode } from '../start-error.ts';

/** Deno's names of errors for which the other runtimes give a system code. */
const codesOfNames: Readonly<Record<string, string>> = {
  AddrInUse: 'EADDRINUSE',
  AddrNotAvailable: 'EADDRNOTAVAIL',
  PermissionDenied: 'EACCES',
};

/** Makes the error of a server that cannot listen at this address. */
export function addressError(
  cause: unknown,
  { host, port }: { readonly host: string; readonly port: number },
): StartError {
  const code = systemErrorCode(cause) ?? (cause instanceof Error ? codesOfNames[cause.name] : undefined);
  if (code === 'EADDRINUSE') {
    return new StartError(
      'address',
      `Port ${port} on ${host} is already in use.`,
      'Stop what uses it, or choose another with --port N (0 picks a free one).',
      { cause },
    );
  }
  if (code === 'EACCES') {
    return new StartError(
      'address',
      `This user may not listen on port ${port}.`,
      'Choose a port above 1023 with --port N.',
      { cause },
    );
  }
  return new StartError(
    'address',
    `Cannot listen on ${host} port ${port} (${code ?? 'unknown reason'}).`,
    'Give an address of this machine with --host, such as 127.0.0.1 or 0.0.0.0.',
    { cause },
  );
}
