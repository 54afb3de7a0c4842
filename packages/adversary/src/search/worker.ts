import { areaNamed } from './areas.ts';
import { evaluate } from './evaluate.ts';
import { countPlatform } from '../service/counting-platform.ts';
import type { Session, Values } from './area.ts';

/** Inputs after which a service is opened anew, so that what earlier ones left does not count for later ones. */
const inputsPerSession = 400;

/** Runs inputs of one area in a process of its own, which may hang or run out of memory. */
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
