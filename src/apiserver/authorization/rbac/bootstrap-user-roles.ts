import type { RuleTexts } from '../../../api/rbac/rule-text.js'

/** Cluster roles for users. */
export const userRoles: RuleTexts = {
  'cluster-admin': ['* on * of *', '* at *'],
  'system:aggregate-to-admin': [
    'create on localsubjectaccessreviews of authorization.k8s.io',
    'create delete deletecollection get list patch update watch on rolebindings roles of rbac.authorization.k8s.io',
  ],
  'system:aggregate-to-edit': [
    'get list watch on pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy of core',
    'impersonate on serviceaccounts of core',
    'create delete deletecollection patch update on pods pods/attach pods/exec pods/portforward pods/proxy of core',
    'create on pods/eviction of core',
    'create delete deletecollection patch update on configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy of core',
    'create on serviceaccounts/token of core',
    'create delete deletecollection patch update on events of core events.k8s.io',
    'create delete deletecollection patch update on daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale of apps',
    'create delete deletecollection patch update on horizontalpodautoscalers of autoscaling',
    'create delete deletecollection patch update on cronjobs jobs of batch',
    'create delete deletecollection patch update on daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale of extensions',
    'create delete deletecollection patch update on poddisruptionbudgets of policy',
    'create delete deletecollection patch update on ingresses networkpolicies of networking.k8s.io',
    'create delete deletecollection get list patch update watch on leases of coordination.k8s.io',
    'create delete deletecollection patch update on resourceclaims resourceclaimtemplates of resource.k8s.io',
  ],
  'system:aggregate-to-view': [
    'get list watch on configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status of core',
    'get list watch on bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status of core',
    'get list watch on namespaces of core',
    'get list watch on events of core events.k8s.io',
    'get list watch on endpointslices of discovery.k8s.io',
    'get list watch on controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status of apps',
    'get list watch on horizontalpodautoscalers horizontalpodautoscalers/status of autoscaling',
    'get list watch on cronjobs cronjobs/status jobs jobs/status of batch',
    'get list watch on daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale of extensions',
    'get list watch on poddisruptionbudgets poddisruptionbudgets/status of policy',
    'get list watch on ingresses ingresses/status networkpolicies of networking.k8s.io',
    'get list watch on resourceclaims resourceclaims/status resourceclaimtemplates of resource.k8s.io',
  ],
}

/** Cluster roles that aggregate others. */
export const aggregatedRoles = ['admin', 'edit', 'view'] as const

/** The aggregated role that each role belongs to. */
export const aggregatedInto: Readonly<Record<string, string>> = {
  edit: 'admin',
  view: 'edit',
  'system:aggregate-to-admin': 'admin',
  'system:aggregate-to-edit': 'edit',
  'system:aggregate-to-view': 'view',
}
