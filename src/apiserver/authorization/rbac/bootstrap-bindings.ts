/** The subjects that are bound to the cluster role of the same name. */
export const componentBindings: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['Group system:masters'],
  'system:basic-user': ['Group system:authenticated'],
  'system:discovery': ['Group system:authenticated'],
  'system:kube-controller-manager': ['User system:kube-controller-manager'],
  'system:kube-dns': ['ServiceAccount kube-system/kube-dns'],
  'system:kube-scheduler': ['User system:kube-scheduler'],
  'system:monitoring': ['Group system:monitoring'],
  'system:node': [],
  'system:node-proxier': ['User system:kube-proxy'],
  'system:public-info-viewer': ['Group system:authenticated', 'Group system:unauthenticated'],
  'system:service-account-issuer-discovery': ['Group system:serviceaccounts'],
  'system:volume-scheduler': ['User system:kube-scheduler'],
}

export interface NamespacedBinding {
  /** The name of the role, if it differs from that of the binding. */
  readonly role?: string
  readonly subjects: readonly string[]
}

/** By namespace. */
export const namespacedBindings: Readonly<Record<string, Readonly<Record<string, NamespacedBinding>>>> = {
  'kube-system': {
    'system::extension-apiserver-authentication-reader': {
      role: 'extension-apiserver-authentication-reader',
      subjects: ['User system:kube-controller-manager', 'User system:kube-scheduler'],
    },
    'system::leader-locking-kube-controller-manager': {
      subjects: [
        'User system:kube-controller-manager',
        'ServiceAccount kube-system/kube-controller-manager',
        'ServiceAccount kube-system/leader-election-controller',
      ],
    },
    'system::leader-locking-kube-scheduler': {
      subjects: ['User system:kube-scheduler', 'ServiceAccount kube-system/kube-scheduler'],
    },
  },
}
