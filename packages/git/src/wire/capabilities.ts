/** What the two sides tell each other they can do (gitprotocol-capabilities(5), gitprotocol-v2(5)). */

import { RequestRefusedError } from './request-error.ts';

/** Services of smart HTTP (GIT-001). */
export type GitService = 'git-upload-pack' | 'git-receive-pack';

export type ProtocolVersion = 0 | 1 | 2;

/** By name; the value is what follows `=`, or the empty string. Of a name that comes twice, the first counts. */
export type Capabilities = ReadonlyMap<string, string>;

/** How a server calls itself in a reply: printable ASCII without spaces (GIT-049). */
export interface ServerIdentity {
  readonly agent: string;
  /** Fresh per reply, 1 to 64 characters. */
  readonly sessionId: string;
}

/** A name, or a name with a value. */
export type Capability = string | readonly [name: string, value: string];

/** The list of version 0 and 1: separated by spaces. */
export function parseCapabilities(list: string): Capabilities {
  const capabilities = new Map<string, string>();
  for (const word of list.split(' ')) {
    if (word !== '') addCapability(capabilities, word);
  }
  return capabilities;
}

/** Adds one `<name>` or `<name>=<value>` unless the name is there; whether it was added. */
export function addCapability(capabilities: Map<string, string>, word: string): boolean {
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  if (capabilities.has(name)) return false;
  capabilities.set(name, equals < 0 ? '' : word.slice(equals + 1));
  return true;
}

/** `<name>` or `<name>=<value>`. */
export function formatCapability(capability: Capability): string {
  return typeof capability === 'string' ? capability : `${capability[0]}=${capability[1]}`;
}

/** The highest version that a `Git-Protocol` header names; 0 without one (GIT-040). */
export function parseGitProtocol(header: string | null | undefined): ProtocolVersion {
  let version: ProtocolVersion = 0;
  for (const entry of (header ?? '').split(':')) {
    if (entry === 'version=2') return 2;
    if (entry === 'version=1') version = 1;
  }
  return version;
}

/** The one object format there is. */
export const objectFormat = 'sha1';

/** What is answered to another object format (GIT-050). */
export function unsupportedObjectFormat(name: string): string {
  return `unsupported object format '${printable(name)}'`;
}

/** @throws {RequestRefusedError} if the client asks for another object format (GIT-050). */
export function refuseOtherObjectFormat(capabilities: Capabilities): void {
  const asked = capabilities.get('object-format');
  if (asked !== undefined && asked !== objectFormat) throw new RequestRefusedError(unsupportedObjectFormat(asked));
}

/** Text of a request as it may stand in a message: one line, no control characters, at most `most` characters. */
export function printable(text: string, most = 200): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
  return line.length > most ? `${line.slice(0, most).toWellFormed()}...` : line;
}

/** The name of a ref as it may stand in a message; no valid one is cut (LIM-055). */
export function printableRef(name: string): string {
  return printable(name, 1024);
}
