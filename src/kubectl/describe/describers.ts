import type { Describe } from './describing.js'

export interface Describer {
  /** Where the version is served that it knows how to describe. */
  readonly root: string
  readonly load: () => Promise<Describe>
}

const core = '/api/v1'
const apps = '/apis/apps/v1'
const batch = '/apis/batch/v1'
const networking = '/apis/networking.k8s.io/v1'
const policy = '/apis/policy/v1'
const rbac = '/apis/rbac.authorization.k8s.io/v1'
const storage = '/apis/storage.k8s.io/v1'

/** By kind and group. All others are described by their fields. */
export const describers: Readonly<Record<string, Describer>> = {
  Pod: { root: core, load: async () => (await import('./pod.js')).describePod },
  Node: { root: core, load: async () => (await import('./node.js')).describeNode },
  Service: { root: core, load: async () => (await import('./service.js')).describeService },
  Endpoints: { root: core, load: async () => (await import('./endpoints.js')).describeEndpoints },
  ConfigMap: { root: core, load: async () => (await import('./config-map.js')).describeConfigMap },
  Secret: { root: core, load: async () => (await import('./config-map.js')).describeSecret },
  ServiceAccount: { root: core, load: async () => (await import('./service-account.js')).describeServiceAccount },
  Namespace: { root: core, load: async () => (await import('./namespace.js')).describeNamespace },
  ResourceQuota: { root: core, load: async () => (await import('./resource-quota.js')).describeResourceQuota },
  LimitRange: { root: core, load: async () => (await import('./limit-range.js')).describeLimitRange },
  PersistentVolume: { root: core, load: async () => (await import('./persistent-volume.js')).describePersistentVolume },
  PersistentVolumeClaim: {
    root: core,
    load: async () => (await import('./persistent-volume-claim.js')).describePersistentVolumeClaim,
  },
  ReplicationController: {
    root: core,
    load: async () => (await import('./replica-set.js')).describeReplicationController,
  },
  'ReplicaSet.apps': { root: apps, load: async () => (await import('./replica-set.js')).describeReplicaSet },
  'Deployment.apps': { root: apps, load: async () => (await import('./deployment.js')).describeDeployment },
  'DaemonSet.apps': { root: apps, load: async () => (await import('./daemon-set.js')).describeDaemonSet },
  'StatefulSet.apps': { root: apps, load: async () => (await import('./stateful-set.js')).describeStatefulSet },
  'Job.batch': { root: batch, load: async () => (await import('./job.js')).describeJob },
  'CronJob.batch': { root: batch, load: async () => (await import('./job.js')).describeCronJob },
  'HorizontalPodAutoscaler.autoscaling': {
    root: '/apis/autoscaling/v2',
    load: async () => (await import('./horizontal-pod-autoscaler.js')).describeHorizontalPodAutoscaler,
  },
  'PodDisruptionBudget.policy': {
    root: policy,
    load: async () => (await import('./pod-disruption-budget.js')).describePodDisruptionBudget,
  },
  'PriorityClass.scheduling.k8s.io': {
    root: '/apis/scheduling.k8s.io/v1',
    load: async () => (await import('./pod-disruption-budget.js')).describePriorityClass,
  },
  'EndpointSlice.discovery.k8s.io': {
    root: '/apis/discovery.k8s.io/v1',
    load: async () => (await import('./endpoints.js')).describeEndpointSlice,
  },
  'Ingress.networking.k8s.io': { root: networking, load: async () => (await import('./ingress.js')).describeIngress },
  'IngressClass.networking.k8s.io': {
    root: networking,
    load: async () => (await import('./ingress.js')).describeIngressClass,
  },
  'ServiceCIDR.networking.k8s.io': {
    root: networking,
    load: async () => (await import('./ingress.js')).describeServiceCidr,
  },
  'IPAddress.networking.k8s.io': {
    root: networking,
    load: async () => (await import('./ingress.js')).describeIpAddress,
  },
  'NetworkPolicy.networking.k8s.io': {
    root: networking,
    load: async () => (await import('./network-policy.js')).describeNetworkPolicy,
  },
  'Role.rbac.authorization.k8s.io': { root: rbac, load: async () => (await import('./rbac.js')).describeRole },
  'ClusterRole.rbac.authorization.k8s.io': { root: rbac, load: async () => (await import('./rbac.js')).describeRole },
  'RoleBinding.rbac.authorization.k8s.io': {
    root: rbac,
    load: async () => (await import('./rbac.js')).describeRoleBinding,
  },
  'ClusterRoleBinding.rbac.authorization.k8s.io': {
    root: rbac,
    load: async () => (await import('./rbac.js')).describeRoleBinding,
  },
  'StorageClass.storage.k8s.io': {
    root: storage,
    load: async () => (await import('./storage-class.js')).describeStorageClass,
  },
  'VolumeAttributesClass.storage.k8s.io': {
    root: storage,
    load: async () => (await import('./storage-class.js')).describeVolumeAttributesClass,
  },
  'CSINode.storage.k8s.io': { root: storage, load: async () => (await import('./storage-class.js')).describeCsiNode },
  'CertificateSigningRequest.certificates.k8s.io': {
    root: '/apis/certificates.k8s.io/v1',
    load: async () => (await import('./certificate-signing-request.js')).describeCertificateSigningRequest,
  },
}
