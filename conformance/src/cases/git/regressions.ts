/** Known failures of other Git servers. Each case names the public source if there is one; none occurred here. */

import type { Suite } from '../../core/case.ts';
import { gitRegressionsClones } from './regressions/clones.ts';
import { gitRegressionsPackFraming } from './regressions/pack-framing.ts';
import { gitRegressionsPushes } from './regressions/pushes.ts';

export const gitRegressions: Suite = [...gitRegressionsClones, ...gitRegressionsPackFraming, ...gitRegressionsPushes];
