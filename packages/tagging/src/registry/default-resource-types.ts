import type { ResourceType } from '../model/resource-types.ts';

/** Types of the account level (TAG-126). */
const accountTypes = [
  'access_application',
  'access_group',
  'account',
  'account_ruleset',
  'ai_gateway',
  'alerting_policy',
  'alerting_webhook',
  'cloudflared_tunnel',
  'cws_deployment',
  'cws_policy',
  'cws_policy_set',
  'cws_workload',
  'd1_database',
  'durable_object_namespace',
  'gateway_list',
  'gateway_rule',
  'image',
  'infrastructure_target',
  'kv_namespace',
  'load_balancer_monitor',
  'load_balancer_pool',
  'pages_project',
  'queue',
  'r2_bucket',
  'resource_share',
  'stream_live_input',
  'stream_video',
  'vectorize_index',
  'worker',
  'worker_version',
];

/** Types of the zone level (TAG-128). */
const zoneTypes = [
  'access_application_policy',
  'api_gateway_operation',
  'custom_certificate',
  'custom_hostname',
  'dns_record',
  'healthcheck',
  'load_balancer',
  'managed_client_certificate',
  'worker_route',
  'zone',
  'zone_ruleset',
];

/** Types with a parent, and the member that names it (terms of `tagging.md`). */
const parents: ReadonlyMap<string, string> = new Map([
  ['worker_version', 'worker_id'],
  ['access_application_policy', 'access_application_id'],
]);

/** The default types (TAG-126, TAG-128). A service with repos also has `repository`. */
export const defaultResourceTypes: readonly ResourceType[] = [
  ...accountTypes.map((type) => resourceType(type, 'account')),
  ...zoneTypes.map((type) => resourceType(type, 'zone')),
];

function resourceType(type: string, level: ResourceType['level']): ResourceType {
  const parent = parents.get(type);
  return parent === undefined ? { type, level } : { type, level, parent };
}
