/**
 * Failures that other Git servers were known for. Each case says whose, where that is public; none was seen here.
 */

import type { Suite } from '../../core/case.ts';
import { gitRegressionsClones } from './regressions/clones.ts';
import { gitRegressionsPackFraming } from './regressions/pack-framing.ts';
import { gitRegressionsPushes } from './regressions/pushes.ts';

export const gitRegressions: Suite = [...gitRegressionsClones, ...gitRegressionsPackFraming, ...gitRegressionsPushes];
