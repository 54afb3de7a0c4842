import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { refuseUnparsed } from './refuse-unparsed.ts';

function socketOf(): { socket: Duplex; sent: () => string } {
  let text = '';
  const socket = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { socket, sent: () => text };
}

const fault = (code: string): Error => Object.assign(new Error('fault'), { code });

describe('refuseUnparsed', () => {
  it('REPO-007: answers with a status and closes', async () => {
    const { socket, sent } = socketOf();
    refuseUnparsed(fault('HPE_HEADER_OVERFLOW'), socket, {
      begun: false,
      complete: (headers) => headers.set('x-ray-id', '0123456789abcdef-LOC'),
    });
    await new Promise((resolve) => socket.once('close', resolve));
    expect(sent()).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n[^]*x-ray-id: 0123456789abcdef-LOC\r\n/);
  });

  it.each(['ERR_TLS_HANDSHAKE_TIMEOUT', 'ERR_SSL_WRONG_VERSION_NUMBER'])(
    'sends nothing where the handshake failed (%s), and does not hold the connection',
    (code) => {
      const { socket, sent } = socketOf();
      refuseUnparsed(fault(code), socket, { begun: false });
      expect([socket.destroyed, sent()]).toEqual([true, '']);
    },
  );

  it('puts nothing into a reply that has begun', () => {
    const { socket, sent } = socketOf();
    refuseUnparsed(fault('HPE_INVALID_METHOD'), socket, { begun: true });
    expect([socket.destroyed, sent()]).toEqual([true, '']);
  });
});
