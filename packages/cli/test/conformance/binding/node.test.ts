import { testBinding } from '../support/bound.ts';
import { hosted } from '../support/hosted.ts';

testBinding('node', hosted('node'), 'commit');
