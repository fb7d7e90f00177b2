import { bootstrapSigner } from './bootstrap-signer/controller.js'
import { certificateApproving } from './certificatesigningrequest-approving/controller.js'
import { certificateCleaner } from './certificatesigningrequest-cleaner/controller.js'
import { certificateSigning, type SigningOptions } from './certificatesigningrequest-signing/controller.js'
import { clusterRoleAggregation } from './clusterrole-aggregation/controller.js'
import { daemonSetController } from './daemonset/controller.js'
import { deploymentController } from './deployment/controller.js'
import { disruptionController } from './disruption/controller.js'
import { endpointsController } from './endpoints/controller.js'
import { endpointSliceController } from './endpointslice/controller.js'
import { endpointSliceMirroringController } from './endpointslice-mirroring/controller.js'
import { garbageCollector } from './garbage-collector/controller.js'
import { jobController } from './job/controller.js'
import { legacyTokenCleaner } from './legacy-serviceaccount-token-cleaner/controller.js'
import { namespaceController } from './namespace/controller.js'
import { nodeIpamController } from './node-ipam/controller.js'
import { type NodeLifecycleOptions, nodeLifecycleController } from './node-lifecycle/controller.js'
import { volumeProtection } from './persistentvolume-protection/controller.js'
import { claimProtection } from './persistentvolumeclaim-protection/controller.js'
import { podCollector } from './pod-garbage-collector/controller.js'
import { replicaSetController } from './replicaset/controller.js'
import { replicationController } from './replicationcontroller/controller.js'
import { resourceQuotaController } from './resourcequota/controller.js'
import { rootCaPublisher } from './root-ca-certificate-publisher/controller.js'
import type { Controller } from './runtime/controller.js'
import { serviceAccountController } from './serviceaccount/controller.js'
import { serviceAccountTokens } from './serviceaccount-token/controller.js'
import { taintEvictionController } from './taint-eviction/controller.js'
import { tokenCleaner } from './token-cleaner/controller.js'
import { nodeTtlController } from './ttl/controller.js'
import { ttlAfterFinishedController } from './ttl-after-finished/controller.js'

/** What the flags of the controller manager say; what is left out is as upstream has it. */
export interface LoopOptions {
  /** By whom pods know the API server, in PEM form. Without it, nobody tells them. */
  readonly rootAuthority?: string
  /** `--concurrent-gc-syncs` */
  readonly concurrentGcSyncs?: number
  /** `--concurrent-namespace-syncs` */
  readonly concurrentNamespaceSyncs?: number
  /** `--terminated-pod-gc-threshold` */
  readonly terminatedPodGcThreshold?: number
  /** `--concurrent-endpoint-syncs` */
  readonly concurrentEndpointSyncs?: number
  /** `--concurrent-service-endpoint-syncs` */
  readonly concurrentServiceEndpointSyncs?: number
  /** `--max-endpoints-per-slice` */
  readonly maxEndpointsPerSlice?: number
  /** `--mirroring-concurrent-service-endpoint-syncs` */
  readonly mirroringConcurrentServiceEndpointSyncs?: number
  /** `--mirroring-max-endpoints-per-subset` */
  readonly mirroringMaxEndpointsPerSubset?: number
  /** `--node-monitor-period`, `--node-eviction-rate` and whatever else is about nodes that fall silent. */
  readonly nodeLifecycle?: NodeLifecycleOptions
  /** `--allocate-node-cidrs`; as `clusterCidr` is given or not, unless told. */
  readonly allocateNodeCidrs?: boolean
  /** `--cluster-cidr`: one range, or one of each family, separated by a comma. */
  readonly clusterCidr?: string
  /** `--service-cluster-ip-range` */
  readonly serviceClusterIpRange?: string
  /** `--node-cidr-mask-size` */
  readonly nodeCidrMaskSize?: number
  /** `--node-cidr-mask-size-ipv4` */
  readonly nodeCidrMaskSizeIpv4?: number
  /** `--node-cidr-mask-size-ipv6` */
  readonly nodeCidrMaskSizeIpv6?: number
  /** `--resource-quota-sync-period`, in milliseconds. */
  readonly resourceQuotaSyncPeriod?: number
  /** `--concurrent-resource-quota-syncs` */
  readonly concurrentResourceQuotaSyncs?: number
  /** By whose keys certificates are signed, and for how long. Without it, none are. */
  readonly signing?: SigningOptions
  /** Signs the tokens of service accounts, in PEM form. Without it, no secret is filled with one. */
  readonly serviceAccountKey?: string
  /** `--concurrent-serviceaccount-token-syncs` */
  readonly concurrentServiceAccountTokenSyncs?: number
  /** `--legacy-service-account-token-clean-up-period`, in milliseconds. */
  readonly legacyTokenCleanUpPeriod?: number
}

/** A loop and how it is known. */
export interface Entry {
  /** As `--controllers` names it: `replicaset-controller`. */
  readonly name: string
  /** What it was called before: `replicaset`. */
  readonly alias?: string
  /** In whose name it acts, in `kube-system`; the controller manager's own unless told. */
  readonly serviceAccount?: string
  /** What its events come from; its name unless told. */
  readonly component?: string
  readonly isOff?: boolean
  /** Undefined where the loop has nothing to work with. */
  readonly make: (options: LoopOptions) => Controller | undefined
}

/** Every loop there is. */
export const catalogue: readonly Entry[] = [
  {
    name: 'serviceaccount-controller',
    alias: 'serviceaccount',
    serviceAccount: 'service-account-controller',
    make: serviceAccountController,
  },
  {
    name: 'root-ca-certificate-publisher-controller',
    alias: 'root-ca-cert-publisher',
    serviceAccount: 'root-ca-cert-publisher',
    make: ({ rootAuthority }) => (rootAuthority === undefined ? undefined : rootCaPublisher(rootAuthority)),
  },
  {
    name: 'daemonset-controller',
    alias: 'daemonset',
    serviceAccount: 'daemon-set-controller',
    make: daemonSetController,
  },
  {
    name: 'disruption-controller',
    alias: 'disruption',
    serviceAccount: 'disruption-controller',
    component: 'controllermanager',
    make: disruptionController,
  },
  {
    name: 'endpoints-controller',
    alias: 'endpoint',
    serviceAccount: 'endpoint-controller',
    component: 'endpoint-controller',
    make: ({ concurrentEndpointSyncs }) => endpointsController({ workers: concurrentEndpointSyncs }),
  },
  {
    name: 'endpointslice-controller',
    alias: 'endpointslice',
    serviceAccount: 'endpointslice-controller',
    component: 'endpoint-slice-controller',
    make: ({ concurrentServiceEndpointSyncs, maxEndpointsPerSlice }) =>
      endpointSliceController({ workers: concurrentServiceEndpointSyncs, limit: maxEndpointsPerSlice }),
  },
  {
    name: 'endpointslice-mirroring-controller',
    alias: 'endpointslicemirroring',
    serviceAccount: 'endpointslicemirroring-controller',
    component: 'endpoint-slice-mirroring-controller',
    make: ({ mirroringConcurrentServiceEndpointSyncs, mirroringMaxEndpointsPerSubset }) =>
      endpointSliceMirroringController({
        workers: mirroringConcurrentServiceEndpointSyncs,
        limit: mirroringMaxEndpointsPerSubset,
      }),
  },
  {
    name: 'garbage-collector-controller',
    alias: 'garbagecollector',
    serviceAccount: 'generic-garbage-collector',
    make: ({ concurrentGcSyncs }) => garbageCollector({ workers: concurrentGcSyncs }),
  },
  {
    name: 'job-controller',
    alias: 'job',
    serviceAccount: 'job-controller',
    make: jobController,
  },
  {
    name: 'namespace-controller',
    alias: 'namespace',
    serviceAccount: 'namespace-controller',
    make: ({ concurrentNamespaceSyncs }) => namespaceController({ workers: concurrentNamespaceSyncs }),
  },
  {
    name: 'node-ipam-controller',
    alias: 'nodeipam',
    serviceAccount: 'node-controller',
    component: 'cidrAllocator',
    make: ({ clusterCidr, allocateNodeCidrs = clusterCidr !== undefined, ...options }) =>
      allocateNodeCidrs ? nodeIpamController({ clusterCidr: clusterCidr ?? '', ...options }) : undefined,
  },
  {
    name: 'node-lifecycle-controller',
    alias: 'nodelifecycle',
    serviceAccount: 'node-controller',
    component: 'node-controller',
    make: ({ nodeLifecycle }) => nodeLifecycleController(nodeLifecycle),
  },
  {
    name: 'pod-garbage-collector-controller',
    alias: 'podgc',
    serviceAccount: 'pod-garbage-collector',
    make: ({ terminatedPodGcThreshold }) => podCollector({ threshold: terminatedPodGcThreshold }),
  },
  {
    name: 'taint-eviction-controller',
    serviceAccount: 'node-controller',
    make: taintEvictionController,
  },
  {
    name: 'ttl-controller',
    alias: 'ttl',
    serviceAccount: 'ttl-controller',
    make: nodeTtlController,
  },
  {
    name: 'resourcequota-controller',
    alias: 'resourcequota',
    serviceAccount: 'resourcequota-controller',
    make: ({ resourceQuotaSyncPeriod, concurrentResourceQuotaSyncs }) =>
      resourceQuotaController({ syncPeriod: resourceQuotaSyncPeriod, workers: concurrentResourceQuotaSyncs }),
  },
  {
    name: 'clusterrole-aggregation-controller',
    alias: 'clusterrole-aggregation',
    serviceAccount: 'clusterrole-aggregation-controller',
    make: clusterRoleAggregation,
  },
  {
    name: 'ttl-after-finished-controller',
    alias: 'ttl-after-finished',
    serviceAccount: 'ttl-after-finished-controller',
    make: ttlAfterFinishedController,
  },
  {
    name: 'deployment-controller',
    alias: 'deployment',
    serviceAccount: 'deployment-controller',
    make: deploymentController,
  },
  {
    name: 'replicaset-controller',
    alias: 'replicaset',
    serviceAccount: 'replicaset-controller',
    make: replicaSetController,
  },
  {
    name: 'replicationcontroller-controller',
    alias: 'replicationcontroller',
    serviceAccount: 'replication-controller',
    component: 'replication-controller',
    make: replicationController,
  },
  {
    name: 'certificatesigningrequest-approving-controller',
    alias: 'csrapproving',
    serviceAccount: 'certificate-controller',
    make: certificateApproving,
  },
  {
    name: 'certificatesigningrequest-signing-controller',
    alias: 'csrsigning',
    serviceAccount: 'certificate-controller',
    make: ({ signing }) => (signing ? certificateSigning(signing) : undefined),
  },
  {
    name: 'certificatesigningrequest-cleaner-controller',
    alias: 'csrcleaner',
    serviceAccount: 'certificate-controller',
    make: certificateCleaner,
  },
  {
    name: 'serviceaccount-token-controller',
    alias: 'serviceaccount-token',
    make: ({ serviceAccountKey, rootAuthority, concurrentServiceAccountTokenSyncs: workers }) =>
      serviceAccountKey === undefined ? undefined : serviceAccountTokens({ serviceAccountKey, rootAuthority, workers }),
  },
  {
    name: 'legacy-serviceaccount-token-cleaner-controller',
    alias: 'legacy-service-account-token-cleaner',
    serviceAccount: 'legacy-service-account-token-cleaner',
    make: ({ legacyTokenCleanUpPeriod }) => legacyTokenCleaner({ period: legacyTokenCleanUpPeriod }),
  },
  {
    name: 'bootstrap-signer-controller',
    alias: 'bootstrapsigner',
    serviceAccount: 'bootstrap-signer',
    isOff: true,
    make: bootstrapSigner,
  },
  {
    name: 'token-cleaner-controller',
    alias: 'tokencleaner',
    serviceAccount: 'token-cleaner',
    isOff: true,
    make: tokenCleaner,
  },
  {
    name: 'persistentvolume-protection-controller',
    alias: 'pv-protection',
    serviceAccount: 'pv-protection-controller',
    make: volumeProtection,
  },
  {
    name: 'persistentvolumeclaim-protection-controller',
    alias: 'pvc-protection',
    serviceAccount: 'pvc-protection-controller',
    make: claimProtection,
  },
]
