import { decodeLossy } from '../../bytes/utf8.ts';
import { withoutLf } from '../pkt-line.ts';

/**
 * A signed push (gitprotocol-pack(5), "Push Certificate"). It is never advertised and always refused (GIT-048), but its
 * commands are read so that the report can name them.
 */
export class PushCertificate {
  #part: 'header' | 'commands' | 'signature' | 'end' = 'header';

  /** True while packets belong to the certificate. */
  get open(): boolean {
    return this.#part !== 'end';
  }

  /** The command in a packet of the certificate, if there is one. */
  commandOf(packet: Uint8Array): Uint8Array | undefined {
    const line = withoutLf(packet);
    const start = decodeLossy(line.subarray(0, 20));
    if (start === 'push-cert-end') this.#part = 'end';
    else if (this.#part === 'header' && line.length === 0) this.#part = 'commands';
    else if (this.#part === 'commands' && start.startsWith('-----BEGIN')) this.#part = 'signature';
    else if (this.#part === 'commands') return line;
    return undefined;
  }
}
