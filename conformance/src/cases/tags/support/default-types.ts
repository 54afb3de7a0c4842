/** TAG-126, without `account`, which has only one resource. */
export const accountTypes: readonly string[] = [
  'access_application',
  'access_group',
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

/** TAG-128, without `zone`, which has only one resource. */
export const zoneTypes: readonly string[] = [
  'access_application_policy',
  'api_gateway_operation',
  'custom_certificate',
  'custom_hostname',
  'dns_record',
  'healthcheck',
  'load_balancer',
  'managed_client_certificate',
  'worker_route',
  'zone_ruleset',
];

/** The members that a type needs in addition to its id (terms of the specification). */
export const parents: Readonly<Record<string, string>> = {
  worker_version: 'worker_id',
  access_application_policy: 'access_application_id',
};
