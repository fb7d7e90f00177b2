import type { JsonObject } from '../../schema/declaration.js'
import type { Factory } from '../factory/factory.js'
import { objectPath, type ResourceObject } from '../resources/resource-object.js'
import { type Describe, DescribeContext } from './context.js'
import { DescriptionPage } from './page.js'

interface Describer {
  /** The API root of the version that the describer understands. */
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

/** Describers by kind and group. Other kinds are described field by field. */
export const describers: Readonly<Record<string, Describer>> = {
  Pod: { root: core, load: async () => (await import('./workloads/pod.js')).describePod },
  Node: { root: core, load: async () => (await import('./cluster/node.js')).describeNode },
  Service: { root: core, load: async () => (await import('./networking/service.js')).describeService },
  Endpoints: { root: core, load: async () => (await import('./networking/endpoints.js')).describeEndpoints },
  ConfigMap: { root: core, load: async () => (await import('./cluster/config-map.js')).describeConfigMap },
  Secret: { root: core, load: async () => (await import('./cluster/config-map.js')).describeSecret },
  ServiceAccount: {
    root: core,
    load: async () => (await import('./cluster/service-account.js')).describeServiceAccount,
  },
  Namespace: { root: core, load: async () => (await import('./cluster/namespace.js')).describeNamespace },
  ResourceQuota: { root: core, load: async () => (await import('./cluster/resource-quota.js')).describeResourceQuota },
  LimitRange: { root: core, load: async () => (await import('./cluster/limit-range.js')).describeLimitRange },
  PersistentVolume: {
    root: core,
    load: async () => (await import('./storage/persistent-volume.js')).describePersistentVolume,
  },
  PersistentVolumeClaim: {
    root: core,
    load: async () => (await import('./storage/persistent-volume-claim.js')).describePersistentVolumeClaim,
  },
  ReplicationController: {
    root: core,
    load: async () => (await import('./workloads/replica-set.js')).describeReplicationController,
  },
  'ReplicaSet.apps': { root: apps, load: async () => (await import('./workloads/replica-set.js')).describeReplicaSet },
  'Deployment.apps': { root: apps, load: async () => (await import('./workloads/deployment.js')).describeDeployment },
  'DaemonSet.apps': { root: apps, load: async () => (await import('./workloads/daemon-set.js')).describeDaemonSet },
  'StatefulSet.apps': {
    root: apps,
    load: async () => (await import('./workloads/stateful-set.js')).describeStatefulSet,
  },
  'Job.batch': { root: batch, load: async () => (await import('./workloads/job.js')).describeJob },
  'CronJob.batch': { root: batch, load: async () => (await import('./workloads/job.js')).describeCronJob },
  'HorizontalPodAutoscaler.autoscaling': {
    root: '/apis/autoscaling/v2',
    load: async () => (await import('./workloads/horizontal-pod-autoscaler.js')).describeHorizontalPodAutoscaler,
  },
  'PodDisruptionBudget.policy': {
    root: policy,
    load: async () => (await import('./workloads/pod-disruption-budget.js')).describePodDisruptionBudget,
  },
  'PriorityClass.scheduling.k8s.io': {
    root: '/apis/scheduling.k8s.io/v1',
    load: async () => (await import('./workloads/pod-disruption-budget.js')).describePriorityClass,
  },
  'EndpointSlice.discovery.k8s.io': {
    root: '/apis/discovery.k8s.io/v1',
    load: async () => (await import('./networking/endpoints.js')).describeEndpointSlice,
  },
  'Ingress.networking.k8s.io': {
    root: networking,
    load: async () => (await import('./networking/ingress.js')).describeIngress,
  },
  'IngressClass.networking.k8s.io': {
    root: networking,
    load: async () => (await import('./networking/ingress.js')).describeIngressClass,
  },
  'ServiceCIDR.networking.k8s.io': {
    root: networking,
    load: async () => (await import('./networking/ingress.js')).describeServiceCidr,
  },
  'IPAddress.networking.k8s.io': {
    root: networking,
    load: async () => (await import('./networking/ingress.js')).describeIpAddress,
  },
  'NetworkPolicy.networking.k8s.io': {
    root: networking,
    load: async () => (await import('./networking/network-policy.js')).describeNetworkPolicy,
  },
  'Role.rbac.authorization.k8s.io': { root: rbac, load: async () => (await import('./cluster/rbac.js')).describeRole },
  'ClusterRole.rbac.authorization.k8s.io': {
    root: rbac,
    load: async () => (await import('./cluster/rbac.js')).describeRole,
  },
  'RoleBinding.rbac.authorization.k8s.io': {
    root: rbac,
    load: async () => (await import('./cluster/rbac.js')).describeRoleBinding,
  },
  'ClusterRoleBinding.rbac.authorization.k8s.io': {
    root: rbac,
    load: async () => (await import('./cluster/rbac.js')).describeRoleBinding,
  },
  'StorageClass.storage.k8s.io': {
    root: storage,
    load: async () => (await import('./storage/storage-class.js')).describeStorageClass,
  },
  'VolumeAttributesClass.storage.k8s.io': {
    root: storage,
    load: async () => (await import('./storage/storage-class.js')).describeVolumeAttributesClass,
  },
  'CSINode.storage.k8s.io': {
    root: storage,
    load: async () => (await import('./storage/storage-class.js')).describeCsiNode,
  },
  'CertificateSigningRequest.certificates.k8s.io': {
    root: '/apis/certificates.k8s.io/v1',
    load: async () => (await import('./cluster/certificate-signing-request.js')).describeCertificateSigningRequest,
  },
}

interface DescribeOptions {
  readonly showEvents: boolean
  readonly chunkSize: number
}

/** Returns the description of an object. */
export async function describeObject(
  factory: Factory,
  info: ResourceObject,
  options: DescribeOptions,
): Promise<string> {
  const rest = await factory.rest()
  const page = new DescriptionPage()
  const { resource, namespace } = info
  const now = factory.environment.clock.now()
  const on = new DescribeContext({ page, rest, now, namespace, ...options })
  const known = describers[resource.group === '' ? resource.kind : `${resource.kind}.${resource.group}`]
  const object =
    known && known.root !== resource.root
      ? await rest.json<JsonObject>({ path: objectPath({ ...info, resource: { ...resource, root: known.root } }) })
      : info.object
  const describe = known ? await known.load() : (await import('./generic.js')).describeGeneric
  await describe(object as never, on)
  return page.toString()
}
