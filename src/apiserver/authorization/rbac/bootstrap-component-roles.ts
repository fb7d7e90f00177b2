import type { RuleTexts } from '../../../api/rbac/rule-text.js'

/** The cluster roles of components, and those of all users. */
export const componentRoles: RuleTexts = {
  'system:auth-delegator': [
    'create on tokenreviews of authentication.k8s.io',
    'create on subjectaccessreviews of authorization.k8s.io',
  ],
  'system:basic-user': [
    'create on selfsubjectaccessreviews selfsubjectrulesreviews of authorization.k8s.io',
    'create on selfsubjectreviews of authentication.k8s.io',
  ],
  'system:certificates.k8s.io:certificatesigningrequests:nodeclient': [
    'create on certificatesigningrequests/nodeclient of certificates.k8s.io',
  ],
  'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient': [
    'create on certificatesigningrequests/selfnodeclient of certificates.k8s.io',
  ],
  'system:certificates.k8s.io:kube-apiserver-client-approver': [
    'approve on signers of certificates.k8s.io named kubernetes.io/kube-apiserver-client',
  ],
  'system:certificates.k8s.io:kube-apiserver-client-kubelet-approver': [
    'approve on signers of certificates.k8s.io named kubernetes.io/kube-apiserver-client-kubelet',
  ],
  'system:certificates.k8s.io:kubelet-serving-approver': [
    'approve on signers of certificates.k8s.io named kubernetes.io/kubelet-serving',
  ],
  'system:certificates.k8s.io:legacy-unknown-approver': [
    'approve on signers of certificates.k8s.io named kubernetes.io/legacy-unknown',
  ],
  'system:discovery': [
    'get at /api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/',
  ],
  'system:heapster': [
    'get list watch on events namespaces nodes pods of core',
    'get list watch on deployments of extensions',
  ],
  'system:kube-aggregator': ['get list watch on endpoints services of core'],
  'system:kube-controller-manager': [
    'create patch update on events of core events.k8s.io',
    'create on leases of coordination.k8s.io',
    'get update on leases of coordination.k8s.io named kube-controller-manager',
    'create on secrets serviceaccounts of core',
    'delete on secrets of core',
    'get on configmaps namespaces secrets serviceaccounts of core',
    'update on secrets serviceaccounts of core',
    'create on tokenreviews of authentication.k8s.io',
    'create on subjectaccessreviews of authorization.k8s.io',
    'list watch on * of *',
    'create on serviceaccounts/token of core',
  ],
  'system:kube-dns': ['list watch on endpoints services of core'],
  'system:kube-scheduler': [
    'create patch update on events of core events.k8s.io',
    'create on leases of coordination.k8s.io',
    'get list update watch on leases of coordination.k8s.io named kube-scheduler',
    'create delete deletecollection get list patch update watch on leasecandidates of coordination.k8s.io',
    'get list watch on nodes of core',
    'delete get list watch on pods of core',
    'create on bindings pods/binding of core',
    'patch update on pods/status of core',
    'get list watch on replicationcontrollers services of core',
    'get list watch on replicasets of apps extensions',
    'get list watch on statefulsets of apps',
    'get list watch on poddisruptionbudgets of policy',
    'get list watch on persistentvolumeclaims persistentvolumes of core',
    'create on tokenreviews of authentication.k8s.io',
    'create on subjectaccessreviews of authorization.k8s.io',
    'get list watch on csinodes of storage.k8s.io',
    'get list watch on volumeattachments of storage.k8s.io',
    'get list watch on namespaces of core',
    'get list watch on csidrivers of storage.k8s.io',
    'get list watch on csistoragecapacities of storage.k8s.io',
    'get list watch on deviceclasses of resource.k8s.io',
    'get list patch update watch on resourceclaims of resource.k8s.io',
    'get list patch update watch on resourceclaims/status of resource.k8s.io',
    'update on pods/finalizers of core',
    'get list watch on resourceslices of resource.k8s.io',
    'create delete on resourceclaims of resource.k8s.io',
    'patch update on resourceclaims/binding of resource.k8s.io',
  ],
  'system:kubelet-api-admin': [
    'get list watch on nodes of core',
    'proxy on nodes of core',
    '* on nodes/log nodes/metrics nodes/proxy nodes/stats of core',
    '* on nodes/configz nodes/healthz nodes/pods of core',
  ],
  'system:monitoring': [
    'get at /flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz',
    'get on nodes/metrics of core',
  ],
  'system:node': [
    'create on tokenreviews of authentication.k8s.io',
    'create on localsubjectaccessreviews subjectaccessreviews of authorization.k8s.io',
    'get list watch on services of core',
    'create get list watch on nodes of core',
    'patch update on nodes/status of core',
    'patch update on nodes of core',
    'create patch update on events of core events.k8s.io',
    'get list watch on pods of core',
    'create delete on pods of core',
    'patch update on pods/status of core',
    'create on pods/eviction of core',
    'get list watch on configmaps secrets of core',
    'get on persistentvolumeclaims persistentvolumes of core',
    'get on endpoints of core',
    'create get list watch on certificatesigningrequests of certificates.k8s.io',
    'create delete get patch update on leases of coordination.k8s.io',
    'get on volumeattachments of storage.k8s.io',
    'create on serviceaccounts/token of core',
    'get patch update on persistentvolumeclaims/status of core',
    'get list watch on csidrivers of storage.k8s.io',
    'create delete get patch update on csinodes of storage.k8s.io',
    'get list watch on runtimeclasses of node.k8s.io',
    'get on resourceclaims of resource.k8s.io',
    'deletecollection on resourceslices of resource.k8s.io',
    'get on serviceaccounts of core',
  ],
  'system:node-bootstrapper': ['create get list watch on certificatesigningrequests of certificates.k8s.io'],
  'system:node-problem-detector': [
    'get on nodes of core',
    'patch on nodes/status of core',
    'create patch update on events of core events.k8s.io',
  ],
  'system:node-proxier': [
    'list watch on endpoints services of core',
    'get list watch on nodes of core',
    'create patch update on events of core events.k8s.io',
    'list watch on servicecidrs of networking.k8s.io',
    'list watch on endpointslices of discovery.k8s.io',
  ],
  'system:persistent-volume-provisioner': [
    'create delete get list watch on persistentvolumes of core',
    'get list update watch on persistentvolumeclaims of core',
    'get list watch on storageclasses of storage.k8s.io',
    'watch on events of core',
    'create patch update on events of core events.k8s.io',
  ],
  'system:public-info-viewer': ['get at /healthz /livez /readyz /version /version/'],
  'system:service-account-issuer-discovery': [
    'get at /.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/',
  ],
  'system:volume-scheduler': [
    'get list patch update watch on persistentvolumes of core',
    'get list watch on storageclasses of storage.k8s.io',
    'get list patch update watch on persistentvolumeclaims of core',
  ],
}

/** The roles of components in single namespaces, by namespace. */
export const namespacedRoles: Readonly<Record<string, RuleTexts>> = {
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
  },
}
