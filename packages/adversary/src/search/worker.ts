import { areaNamed } from './areas.ts';
import { evaluate } from './evaluate.ts';
import { countPlatform } from '../service/counting-platform.ts';
import type { Session, Values } from './inputs/area.ts';

/** Inputs before the service is reopened, so that leftovers of earlier inputs do not count for later ones. */
const inputsPerSession = 400;

/** Runs inputs of one area in a separate process, which may hang or run out of memory. */
const area = areaNamed(process.argv[2] ?? '');
let session: Session | undefined;
let stopCounting: (() => void) | undefined;
let inputs = 0;

process.on('message', (values: Values) => {
  void (async () => {
    if (inputs++ % inputsPerSession === 0) {
      await session?.service.close();
      session = await area.open();
      stopCounting?.();
      stopCounting = countPlatform(session.service.asked);
    }
    process.send?.(await evaluate(area.name, session as Session, values, true));
  })();
});
process.on('disconnect', () => process.exit());
