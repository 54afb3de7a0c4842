/** Milliseconds between two samples. */
const interval = 10;

/** Watches the memory of the Worker's isolate, JavaScript heap and typed arrays, through the inspector. */
export interface IsolateMemory {
  /** Bytes at the highest sample since the last call. */
  takePeak(): number;
  close(): Promise<void>;
}

interface HeapUsage {
  readonly totalSize: number;
  readonly backingStorageSize: number;
}

/** `inspector`: where that of workerd listens. */
export async function watchIsolate(inspector: URL): Promise<IsolateMemory> {
  const targets = (await (await fetch(`http://${inspector.host}/json`)).json()) as Record<string, string>[];
  const worker = targets.find((target) => String(target['id'] ?? target['title']).includes('packhouse'));
  const socket = new WebSocket(String((worker ?? targets[0])?.['webSocketDebuggerUrl']));
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('the inspector does not answer')));
  });
  let peak = 0;
  let id = 0;
  const state = { isOpen: true };
  let answered: (usage: HeapUsage) => void = () => {};
  socket.addEventListener('message', ({ data }) => {
    const { result } = JSON.parse(String(data)) as { result?: HeapUsage };
    if (result?.totalSize !== undefined) answered(result);
  });
  const watching = (async () => {
    while (state.isOpen) {
      const usage = await new Promise<HeapUsage>((resolve) => {
        answered = resolve;
        socket.send(JSON.stringify({ id: ++id, method: 'Runtime.getHeapUsage' }));
      });
      peak = Math.max(peak, usage.totalSize + usage.backingStorageSize);
      await new Promise((resolve) => setTimeout(resolve, interval));
    }
  })();
  return {
    takePeak() {
      const taken = peak;
      peak = 0;
      return taken;
    },
    async close() {
      state.isOpen = false;
      await watching;
      socket.close();
    },
  };
}
