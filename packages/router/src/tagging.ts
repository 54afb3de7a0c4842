export type { ResourceType } from '@packhouse/hosting/tagging';
