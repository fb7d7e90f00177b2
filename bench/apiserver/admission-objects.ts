/** The objects that admission plugins read when a pod is created. */
import { typicalPod } from '../typical-pod.js'

const { namespace } = typicalPod.metadata
const { serviceAccountName } = typicalPod.spec

function object(kind: string, name: string, content: object): object {
  return { apiVersion: 'v1', kind, metadata: { name, namespace, uid: name }, ...content }
}

function namespaceObject(labels: object = {}): object {
  const content = { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } }
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels, uid: namespace }, ...content }
}

const account = object('ServiceAccount', serviceAccountName, { imagePullSecrets: [{ name: 'registry' }] })

const range = object('LimitRange', 'limits', {
  spec: {
    limits: [
      {
        type: 'Container',
        max: { cpu: '4', memory: '8Gi' },
        min: { cpu: '1m', memory: '1Mi' },
        default: { cpu: '500m', memory: '512Mi' },
        defaultRequest: { cpu: '100m', memory: '64Mi' },
      },
      { type: 'Pod', max: { cpu: '8', memory: '16Gi' } },
    ],
  },
})

function quota(name: string, hard: Readonly<Record<string, string>>, spec: object = {}): object {
  const used = Object.fromEntries(Object.keys(hard).map((resource) => [resource, '0']))
  return object('ResourceQuota', name, { spec: { hard, ...spec }, status: { hard, used } })
}

const resources = { pods: '100k', 'requests.cpu': '10k', 'requests.memory': '100Ti', 'limits.memory': '100Ti' }
const compute = quota('compute', resources)

const normal = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'normal', uid: 'normal' },
  value: 1000,
  globalDefault: true,
}

const restricted = { 'pod-security.kubernetes.io/warn': 'restricted', 'pod-security.kubernetes.io/enforce': 'baseline' }

export const admissionObjects = {
  bare: [namespaceObject(), account],
  common: [namespaceObject(), account, range, compute],
  full: [
    namespaceObject(restricted),
    account,
    range,
    compute,
    normal,
    quota('lasting', { pods: '100k' }, { scopes: ['NotTerminating', 'NotBestEffort'] }),
    quota('objects', { 'count/pods': '100k' }),
  ],
}
