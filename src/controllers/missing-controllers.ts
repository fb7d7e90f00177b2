import type { ControllerRole } from '../api/rbac/rule-text.js'
import { recordEvents } from './definition.js'

/**
 * Roles of upstream's controllers that Proa does not have yet. A cluster has them all the same, so that upstream's controller manager can
 * run in it. A controller that gets a folder here takes its rules with it.
 */
export const missingControllerRoles: readonly ControllerRole[] = [
  {
    serviceAccount: 'attachdetach-controller',
    rules: [
      'list watch on persistentvolumeclaims persistentvolumes of core',
      'get list watch on nodes of core',
      'patch update on nodes/status of core',
      'list watch on pods of core',
      recordEvents,
      'create delete get list watch on volumeattachments of storage.k8s.io',
      'get list watch on csidrivers of storage.k8s.io',
      'get list watch on csinodes of storage.k8s.io',
    ],
  },
  {
    serviceAccount: 'cronjob-controller',
    rules: [
      'get list update watch on cronjobs of batch',
      'create delete get list patch update watch on jobs of batch',
      'update on cronjobs/status of batch',
      'update on cronjobs/finalizers of batch',
      'delete list watch on pods of core',
      recordEvents,
    ],
  },
  {
    serviceAccount: 'device-taint-eviction-controller',
    rules: [
      'delete get list watch on pods of core',
      'patch update on pods/status of core',
      'get list watch on resourceclaims of resource.k8s.io',
      'get list watch on resourceslices of resource.k8s.io',
      'get list watch on deviceclasses of resource.k8s.io',
      recordEvents,
    ],
  },
  {
    serviceAccount: 'ephemeral-volume-controller',
    rules: [
      'get list watch on pods of core',
      'update on pods/finalizers of core',
      'create get list watch on persistentvolumeclaims of core',
      recordEvents,
    ],
  },
  {
    serviceAccount: 'expand-controller',
    rules: [
      'get list patch update watch on persistentvolumes of core',
      'patch update on persistentvolumeclaims/status of core',
      'get list watch on persistentvolumeclaims of core',
      recordEvents,
    ],
  },
  {
    serviceAccount: 'horizontal-pod-autoscaler',
    rules: [
      'get list watch on horizontalpodautoscalers of autoscaling',
      'update on horizontalpodautoscalers/status of autoscaling',
      'get update on */scale of *',
      'list watch on pods of core',
      'list watch on pods of metrics.k8s.io',
      'get list watch on * of custom.metrics.k8s.io',
      'get list watch on * of external.metrics.k8s.io',
      recordEvents,
    ],
  },
  {
    serviceAccount: 'persistent-volume-binder',
    rules: [
      'create delete get list update watch on persistentvolumes of core',
      'update on persistentvolumes/status of core',
      'get list update watch on persistentvolumeclaims of core',
      'update on persistentvolumeclaims/status of core',
      'create delete get list watch on pods of core',
      'get list watch on storageclasses of storage.k8s.io',
      'list watch on nodes of core',
      recordEvents,
      'watch on events of core',
    ],
  },
  {
    serviceAccount: 'resource-claim-controller',
    rules: [
      'get list watch on pods of core',
      'update on pods/finalizers of core',
      'create delete get list watch on resourceclaims of resource.k8s.io',
      'patch update on resourceclaims resourceclaims/status of resource.k8s.io',
      'patch update on pods/status of core',
      recordEvents,
      'patch update on resourceclaims/binding of resource.k8s.io',
    ],
  },
  {
    serviceAccount: 'route-controller',
    rules: ['list watch on nodes of core', 'patch on nodes/status of core', recordEvents],
  },
  {
    serviceAccount: 'selinux-warning-controller',
    rules: [
      recordEvents,
      'get list watch on persistentvolumes of core',
      'get list watch on persistentvolumeclaims of core',
      'get list watch on pods of core',
      'get list watch on csidrivers of storage.k8s.io',
    ],
  },
  {
    serviceAccount: 'service-cidrs-controller',
    rules: [
      'get list patch update watch on servicecidrs of networking.k8s.io',
      'patch update on servicecidrs/finalizers of networking.k8s.io',
      'patch update on servicecidrs/status of networking.k8s.io',
      'get list watch on ipaddresses of networking.k8s.io',
      recordEvents,
    ],
  },
  {
    serviceAccount: 'service-controller',
    rules: [
      'get list watch on services of core',
      'patch update on services/status of core',
      'list watch on nodes of core',
      recordEvents,
    ],
  },
  {
    serviceAccount: 'statefulset-controller',
    rules: [
      'list watch on pods of core',
      'get list watch on statefulsets of apps',
      'update on statefulsets/status of apps',
      'update on statefulsets/finalizers of apps',
      'create delete get patch update on pods of core',
      'create delete get list patch update watch on controllerrevisions of apps',
      'create get list watch on persistentvolumeclaims of core',
      'delete update on persistentvolumeclaims of core',
      'update on pods/finalizers of core',
      recordEvents,
    ],
  },
  {
    serviceAccount: 'validatingadmissionpolicy-status-controller',
    rules: [
      'get list watch on validatingadmissionpolicies of admissionregistration.k8s.io',
      'get patch update on validatingadmissionpolicies/status of admissionregistration.k8s.io',
      recordEvents,
    ],
  },
  {
    serviceAccount: 'volumeattributesclass-protection-controller',
    rules: [
      'get list watch on persistentvolumeclaims of core',
      'get list watch on persistentvolumes of core',
      'get list update watch on volumeattributesclasses of storage.k8s.io',
      recordEvents,
    ],
  },
  {
    serviceAccount: 'cloud-provider',
    namespacedRules: { 'kube-system': ['create get list watch on configmaps of core'] },
  },
]
