/** One function of a profile, as the inspector reports it. Times in microseconds. */
interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/** A profile, as `Profiler.stop` of the inspector returns it. */
export interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Port that Node opens for its inspector after SIGUSR1. */
const inspectorPort = 9229;
/** Microseconds between two samples. */
const interval = 200;

/** Runs work while the Node process of a server is profiled. The port 9229 of this machine must be free. */
export const profiled = async (pid: number, work: () => Promise<unknown>): Promise<Profile> => {
  process.kill(pid, 'SIGUSR1');
  const socket = await openInspector();
  try {
    let last = 0;
    const call = (method: string, params: object = {}): Promise<unknown> => {
      const id = ++last;
      const replied = new Promise<unknown>((resolve, reject) => {
        socket.addEventListener('close', () => reject(new Error('The inspector is gone')));
        socket.addEventListener('message', ({ data }) => {
          const reply = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown };
          if (reply.id === id) resolve(reply.result);
        });
      });
      socket.send(JSON.stringify({ id, method, params }));
      return replied;
    };
    await call('Profiler.enable');
    await call('Profiler.setSamplingInterval', { interval });
    await call('Profiler.start');
    await work();
    return ((await call('Profiler.stop')) as { readonly profile: Profile }).profile;
  } finally {
    socket.close();
  }
};

const openInspector = async (): Promise<WebSocket> => {
  for (let left = 50; ; left--) {
    try {
      const targets = (await (await fetch(`http://127.0.0.1:${inspectorPort}/json/list`)).json()) as {
        readonly webSocketDebuggerUrl: string;
      }[];
      const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '');
      await new Promise((resolve, reject) => {
        socket.addEventListener('open', resolve);
        socket.addEventListener('error', () => reject(new Error('The inspector refuses connections')));
      });
      return socket;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
};

/** Returns the share of each layer in the busy time of a profile: a package, a part of Node, or the collector. */
export const layerShares = ({ nodes, samples, timeDeltas }: Profile): Readonly<Record<string, number>> => {
  const layers = new Map<number, string>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = (node: ProfileNode, above: string): void => {
    const layer = layerOf(node, above);
    layers.set(node.id, layer);
    for (const child of node.children ?? []) visit(byId.get(child) as ProfileNode, layer);
  };
  if (nodes[0] !== undefined) visit(nodes[0], 'system calls');
  const times = new Map<string, number>();
  samples.forEach((id, i) => {
    const layer = layers.get(id) as string;
    if (layer !== 'idle') times.set(layer, (times.get(layer) ?? 0) + (timeDeltas[i] as number));
  });
  const busy = [...times.values()].reduce((sum, time) => sum + time, 0);
  return Object.fromEntries([...times].sort((a, b) => b[1] - a[1]).map(([layer, time]) => [layer, time / busy]));
};

const specialLayers: Readonly<Record<string, string>> = {
  '(idle)': 'idle',
  '(garbage collector)': 'collector',
  '(program)': 'system calls',
};

/** A native function belongs to the layer that calls it. */
const layerOf = ({ callFrame: { functionName, url } }: ProfileNode, above: string): string => {
  const special = specialLayers[functionName];
  if (special !== undefined) return special;
  if (url === '') return above;
  const name = /packages\/([^/]+)\/src/.exec(url)?.[1];
  if (name === 'base') return url.includes('/sql/') ? 'SQLite' : 'base';
  if (name !== undefined) return name;
  if (/http|net|stream_base|undici|fetch|url|streams|events/.test(url)) return 'Node: HTTP and streams';
  return url.startsWith('node:') ? 'Node: other' : 'libraries';
};
