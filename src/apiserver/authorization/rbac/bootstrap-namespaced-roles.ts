import type { RuleTexts } from './rule-text.js'

/** By namespace. */
export const namespacedRoles: Readonly<Record<string, RuleTexts>> = {
  'kube-public': {
    'system:controller:bootstrap-signer': [
      'get list watch on configmaps of core',
      'update on configmaps of core named cluster-info',
      'create patch update on events of core events.k8s.io',
    ],
  },
  'kube-system': {
    'extension-apiserver-authentication-reader': [
      'get list watch on configmaps of core named extension-apiserver-authentication',
    ],
    'system::leader-locking-kube-controller-manager': [
      'create get list update watch on leases of coordination.k8s.io',
      'create get list update watch on leasecandidates of coordination.k8s.io',
    ],
    'system::leader-locking-kube-scheduler': [
      'create get list update watch on leases of coordination.k8s.io',
      'create get list update watch on leasecandidates of coordination.k8s.io',
    ],
    'system:controller:bootstrap-signer': ['get list watch on secrets of core'],
    'system:controller:cloud-provider': ['create get list watch on configmaps of core'],
    'system:controller:token-cleaner': [
      'delete get list watch on secrets of core',
      'create patch update on events of core events.k8s.io',
    ],
  },
}
