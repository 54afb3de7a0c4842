import { HostingError } from '@packhouse/base';
import { RepoGoneError } from '@packhouse/git';
import { describe, expect, it } from 'vitest';
import { answerCall, remotePort, withMethods, type PortObject, type Routes } from '../src/calls/remote-port.ts';
import { newUsage } from '../src/request/usage.ts';

interface Numbers {
  double(value: number): Promise<number>;
  add(value: number, other?: number): Promise<number>;
}

interface Ports {
  readonly numbers: Numbers;
}

const routes: Routes<Ports> = {
  numbers: {
    double: {
      repeat: 'repeatable',
      given: { send: ([value]) => [`${value}`], receive: ([text]: readonly [string]) => [Number(text)] },
      result: { send: (value) => `${value}`, receive: (text: string, [value]) => Number(text) + value / 10 },
    },
    add: { repeat: (_, other) => (other === undefined ? 'repeatable' : 'once') },
  },
};

/** Both sides of the port, with what travels between them. The first calls fail as those of an object that was reset. */
function connected(numbers: Numbers, resets = 0) {
  const sent: unknown[][] = [];
  const object: PortObject<string> = {
    async callPort(port, place, method, given) {
      sent.push([place, method, ...given]);
      if (sent.length <= resets) throw Object.assign(new Error('reset'), { durableObjectReset: true });
      return structuredClone(await answerCall(routes, () => ({ numbers }), { port, method, given }));
    },
  };
  return { port: remotePort(routes, 'numbers', { place: 'a', usage: newUsage(), stub: () => object }), sent };
}

class Adapter implements Numbers {
  readonly #factor = 2;

  async double(value: number): Promise<number> {
    return value * this.#factor;
  }

  async add(value: number, other = 1): Promise<number> {
    return value + other;
  }
}

describe('a remote port', () => {
  it('passes the arguments and the result on, as they are or converted', async () => {
    const { port, sent } = connected(new Adapter());
    expect(await port.add(1)).toBe(2);
    expect(await port.add(1, 2)).toBe(3);
    expect(await port.double(5)).toBe(10.5);
    expect(sent).toEqual([
      ['a', 'add', 1],
      ['a', 'add', 1, 2],
      ['a', 'double', '5'],
    ]);
  });

  it('decides by the arguments whether a failed call is repeated', async () => {
    expect(await connected(new Adapter(), 2).port.add(1)).toBe(2);
    const once = connected(new Adapter(), 2);
    await expect(once.port.add(1, 2)).rejects.toThrow('reset');
    expect(once.sent).toHaveLength(1);
  });

  it('keeps the class and data of errors that callers distinguish', async () => {
    const failing = (error: Error): Numbers =>
      connected(withMethods(new Adapter(), { add: (): Promise<number> => Promise.reject(error) })).port;
    await expect(failing(new RepoGoneError('x')).add(1)).rejects.toThrow(RepoGoneError);
    const refusal = new HostingError('internal', { items: [{ code: 7, message: 'seven', pointer: '/a' }] });
    const received = await failing(refusal)
      .add(1)
      .catch((error: unknown) => error);
    expect(received).toBeInstanceOf(HostingError);
    expect(received).toMatchObject({ kind: 'internal', items: refusal.items, message: 'seven' });
    await expect(failing(new RangeError('other')).add(1)).rejects.toThrow('other');
  });

  it.each([
    ['numbers', 'toString'],
    ['numbers', 'missing'],
    ['toString', 'call'],
    ['missing', 'add'],
  ])('has no method %s.%s that the table does not list', async (port, method) => {
    const call = answerCall(routes, () => ({ numbers: new Adapter() }), { port, method, given: [] });
    await expect(call).rejects.toThrow(`There is no method ${port}.${method}`);
  });

  it('has the other methods of an adapter of which some are replaced', async () => {
    const port = withMethods(new Adapter(), { add: async (value) => value * 100 });
    expect([await port.add(1), await port.double(2)]).toEqual([100, 4]);
  });
});
