export { gitFace, type GitFace, type GitFaceOptions } from './git/face.ts';
export { isIncident } from './platform-errors.ts';
export { describeRest } from './rest/describe-rest.ts';
export { restApi, type RestApi, type RestOptions } from './rest/rest-api.ts';
export { createService, type Service, type ServiceOptions } from './service.ts';
