const container = { name: 'c', image: 'nginx', ports: [{ containerPort: 80 }], resources: { requests: { cpu: '10m' } } }
const podSpec = { containers: [container], volumes: [{ name: 'v', emptyDir: {} }] }
const selector = { matchLabels: { app: 'web' } }
const template = { metadata: { labels: { app: 'web' } }, spec: podSpec }

/** Valid objects by kind, without their metadata. */
export const exampleObjects: ReadonlyMap<string, object> = new Map<string, object>([
  ['ConfigMap', { data: { a: 'b' }, binaryData: { c: 'AAEC' } }],
  ['Secret', { stringData: { a: 'b' }, type: 'Opaque' }],
  ['ServiceAccount', {}],
  ['Pod', { spec: podSpec }],
  ['Service', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }],
  ['Endpoints', { subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }] }],
  ['PersistentVolumeClaim', { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }],
  ['Node', { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }],
  ['Namespace', {}],
  ['ResourceQuota', { spec: { hard: { 'count/secrets': '1000000' } } }],
  ['Deployment', { spec: { selector, template, replicas: 2 } }],
  ['ReplicaSet', { spec: { selector, template } }],
  ['StatefulSet', { spec: { selector, template, serviceName: 'web' } }],
  ['DaemonSet', { spec: { selector, template } }],
  ['Job', { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } }],
  ['Lease', { spec: { holderIdentity: 'a', leaseDurationSeconds: 10 } }],
  ['Role', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }],
  ['NetworkPolicy', { spec: { podSelector: {}, policyTypes: ['Ingress'] } }],
  ['PriorityClass', { value: 10 }],
])
