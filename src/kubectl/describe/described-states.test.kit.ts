import type { Kubectl } from '../../testing/kubectl/kubectl.js'
import { newKey } from '../../wire/x509/certificate.js'
import { certificateRequest } from '../../wire/x509/request.js'

export const time = '2026-01-02T03:04:05Z'

export async function setStatus(kubectl: Kubectl, object: string, status: object): Promise<void> {
  await kubectl.ok('patch', object, '--subresource=status', '--type=merge', `--patch=${JSON.stringify({ status })}`)
}

export const runningPod = {
  phase: 'Running',
  hostIP: '1.2.3.4',
  podIP: '10.1.0.5',
  podIPs: [{ ip: '10.1.0.5' }, { ip: 'fd00::5' }],
  startTime: time,
  reason: 'Why',
  message: 'because',
  conditions: [
    { type: 'Ready', status: 'True' },
    { type: 'PodScheduled', status: 'True' },
  ],
  containerStatuses: [
    {
      ...{ name: 'main', image: 'nginx:1', imageID: 'id1', containerID: 'c://1', ready: true, restartCount: 2 },
      state: { running: { startedAt: time } },
      lastState: {
        terminated: {
          ...{ exitCode: 1, reason: 'Error', message: 'boom', signal: 9 },
          ...{ startedAt: time, finishedAt: '2026-01-02T03:05:05Z' },
        },
      },
    },
    {
      ...{ name: 'grpc', image: 'b', imageID: '', ready: false, restartCount: 0 },
      state: { waiting: { reason: 'ImagePullBackOff' } },
    },
  ],
  initContainerStatuses: [
    {
      ...{ name: 'init', image: 'busybox', imageID: '', ready: true, restartCount: 0 },
      state: { terminated: { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time } },
    },
    { name: 'side', image: 'busybox', imageID: '', ready: true, restartCount: 0, state: {} },
  ],
}

export async function setWorkloadStatus(kubectl: Kubectl): Promise<void> {
  await setStatus(kubectl, 'deploy/web', {
    ...{ replicas: 3, readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1, unavailableReplicas: 2 },
    conditions: [{ type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable' }],
  })
  await setStatus(kubectl, 'job/job', { startTime: time, active: 1, succeeded: 1, failed: 1, completedIndexes: '0' })
  await setStatus(kubectl, 'cj/cj', { lastScheduleTime: time, active: [{ kind: 'Job', name: 'a' }, { name: 'b' }] })
  await setStatus(kubectl, 'hpa/hpa', {
    ...{ currentReplicas: 2, desiredReplicas: 3 },
    conditions: [{ type: 'AbleToScale', status: 'True', reason: 'r', message: 'm m' }],
    currentMetrics: [
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 30, averageValue: '100m' } } },
      { type: 'Resource', resource: { name: 'memory', current: { averageValue: '1Gi' } } },
    ],
  })
}

/** Creates a single event, a repeated event and an event series. */
export async function eventsAbout(kubectl: Kubectl, kind: string, name: string) {
  const { metadata } = (await kubectl.json('get', kind, name)) as { metadata: { uid: string; namespace?: string } }
  const { namespace = '' } = metadata
  const about = { kind, name, uid: kind === 'Node' ? name : metadata.uid, namespace }
  const event = (index: number, rest: object) => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${kind.toLowerCase()}-${name}-${index}`, namespace: namespace || 'default' },
    involvedObject: about,
    ...{ reason: 'Reason', message: ' a message\nof two lines ', type: 'Normal', source: { component: 'kubelet' } },
    ...{ firstTimestamp: '2026-01-01T10:00:00Z', lastTimestamp: '2026-01-01T11:00:00Z', count: 1 },
    ...rest,
  })
  const noTimes = { firstTimestamp: null, lastTimestamp: null, count: 0, source: {} }
  const reporter = { reportingComponent: 'my-controller', reportingInstance: 'x', action: 'Do' }
  const series = { count: 7, lastObservedTime: '2026-01-01T12:00:00.000000Z' }
  return [
    event(1, {}),
    event(2, { count: 5, type: 'Warning', reason: 'BackOff', lastTimestamp: '2026-01-01T10:30:00Z' }),
    event(3, { ...noTimes, ...reporter, eventTime: '2026-01-01T10:00:00.000000Z', series }),
  ]
}

/** Creates a replica set with the current template of the deployment, and one with an older template. */
export async function replicaSetsOf(kubectl: Kubectl, name: string) {
  const { metadata, spec } = (await kubectl.json('get', 'deployment', name)) as unknown as {
    metadata: { uid: string }
    spec: { template: { metadata: { labels: object }; spec: { containers: readonly object[] } } }
  }
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name, uid: metadata.uid, controller: true }
  const replicaSet = (hash: string, image: object) => {
    const labels = { ...spec.template.metadata.labels, 'pod-template-hash': hash }
    const containers = spec.template.spec.containers.map((container) => ({ ...container, ...image }))
    return {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: `${name}-${hash}`, labels, ownerReferences: [owner] },
      spec: {
        ...{ replicas: 2, selector: { matchLabels: labels } },
        template: {
          ...spec.template,
          metadata: { ...spec.template.metadata, labels },
          spec: { ...spec.template.spec, containers },
        },
      },
    }
  }
  return [replicaSet('new', {}), replicaSet('old', { image: 'older' })]
}

export function signingRequest() {
  const addresses = [Buffer.from([1, 2, 3, 4]), Buffer.from([0xfd, ...new Uint8Array(14), 1])]
  const names = {
    dnsNames: ['a.com', 'b.com'],
    emailAddresses: ['a@b.c'],
    ipAddresses: addresses,
    uris: ['spiffe://x'],
  }
  const more = [{ attribute: '2.5.4.6', values: ['DE'] }]
  const request = certificateRequest(newKey(), { commonName: 'user', organizations: ['g1', 'g2'], more, ...names })
  const signerName = 'kubernetes.io/kube-apiserver-client'
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'csr1', labels: { a: 'b' } },
    spec: {
      request: Buffer.from(request).toString('base64'),
      signerName,
      expirationSeconds: 86_400,
      usages: ['client auth'],
    },
  }
}
