import type { ClusterScenario, ResponseBody } from '../scenario.js'
import {
  busybox,
  forever,
  podOnNode,
  podThatEnds,
  recordPodEvents,
  recordStatuses,
  shellContainer,
  untilEnded,
  untilEvent,
  untilWaiting,
} from './node-manifests.js'

/** What goes wrong with pods, and how it is told. */
export const podFailures: readonly ClusterScenario[] = [
  {
    name: 'postStart fails',
    needs: 'kubelet',
    steps: [
      {
        apply: podThatEnds(
          'p',
          shellContainer(forever, {
            lifecycle: { postStart: { exec: { command: ['sh', '-c', 'echo sorry; exit 9'] } } },
          }),
        ),
      },
      ...untilEnded('p'),
      recordStatuses('status', 'pods/p'),
      untilEvent('FailedPostStartHook'),
      recordPodEvents(),
    ],
  },
  {
    name: 'liveness probe fails',
    needs: 'kubelet',
    steps: [
      {
        apply: podThatEnds(
          'p',
          shellContainer(forever, {
            livenessProbe: {
              exec: { command: ['sh', '-c', 'echo not well; exit 1'] },
              periodSeconds: 1,
              failureThreshold: 2,
            },
          }),
        ),
      },
      ...untilEnded('p'),
      recordStatuses('status', 'pods/p'),
      recordPodEvents(),
    ],
  },
  {
    name: 'readiness probe and readiness gate',
    needs: 'kubelet',
    steps: [
      {
        apply: podOnNode(
          'p',
          shellContainer(forever, { readinessProbe: { exec: { command: ['cat', '/tmp/ready'] }, periodSeconds: 1 } }),
          { readinessGates: [{ conditionType: 'example.com/gate' }] },
        ),
      },
      untilEvent('Unhealthy'),
      recordStatuses('not ready', 'pods/p'),
      {
        patch: 'pods/p/status',
        type: 'strategic',
        body: { status: { conditions: [{ type: 'example.com/gate', status: 'True' }] } },
      },
      {
        until: 'gate seen',
        get: 'pods/p',
        where: ({ status }) =>
          status.conditions.find(({ type }: ResponseBody) => type === 'Ready').reason === 'ContainersNotReady',
      },
      recordStatuses('gate open', 'pods/p'),
      { record: 'table', get: 'pods', table: true },
      recordPodEvents(),
    ],
  },
  {
    name: 'startup probe fails over tcp',
    needs: 'kubelet',
    steps: [
      {
        apply: podThatEnds(
          'p',
          shellContainer(forever, {
            startupProbe: {
              tcpSocket: { port: 1234 },
              initialDelaySeconds: 2,
              timeoutSeconds: 5,
              periodSeconds: 1,
              failureThreshold: 2,
            },
            livenessProbe: { exec: { command: ['false'] } },
          }),
        ),
      },
      ...untilEnded('p'),
      recordStatuses('status', 'pods/p'),
      recordPodEvents(),
    ],
  },
  {
    name: 'images that cannot be had',
    needs: 'kubelet',
    steps: [
      {
        apply: [
          podOnNode('backoff', { name: 'c', image: 'localhost:5999/none:1' }),
          podOnNode('never', { name: 'c', image: 'localhost:5999/none:2', imagePullPolicy: 'Never' }),
          podOnNode('invalid', { name: 'c', image: 'UPPER' }),
        ],
      },
      untilWaiting('backoff', 'ImagePullBackOff'),
      untilWaiting('never', 'ErrImageNeverPull'),
      untilWaiting('invalid', 'InvalidImageName'),
      untilEvent('BackOff'),
      untilEvent('InspectFailed'),
      untilEvent('ErrImageNeverPull'),
      {
        until: 'back-off again',
        get: 'pods/backoff',
        where: ({ status }) => status.containerStatuses[0].state.waiting.reason === 'ImagePullBackOff',
      },
      {
        record: 'status',
        get: 'pods',
        pick: ({ metadata, status }) => ({
          metadata: { name: metadata.name },
          phase: status.phase,
          conditions: status.conditions,
          containerStatuses:
            metadata.name === 'backoff'
              ? status.containerStatuses.map((container: ResponseBody) => ({
                  ...container,
                  state: { waiting: { reason: 'ImagePullBackOff or ErrImagePull' } },
                }))
              : status.containerStatuses,
        }),
      },
      recordPodEvents(),
    ],
  },
  {
    name: 'configuration errors',
    needs: 'kubelet',
    steps: [
      { apply: { kind: 'Secret', metadata: { name: 's' }, stringData: { a: '1' } } },
      {
        apply: [
          podOnNode(
            'nomap',
            shellContainer(forever, {
              env: [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'nope', key: 'k' } } }],
            }),
          ),
          podOnNode(
            'nokey',
            shellContainer(forever, { env: [{ name: 'X', valueFrom: { secretKeyRef: { name: 's', key: 'b' } } }] }),
          ),
          podOnNode('nofrom', shellContainer(forever, { envFrom: [{ configMapRef: { name: 'nope' } }] })),
          podThatEnds(
            'optional',
            shellContainer('echo "[$X][$a]"', {
              env: [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'nope', key: 'k', optional: true } } }],
              envFrom: [{ secretRef: { name: 's' } }, { configMapRef: { name: 'nope', optional: true } }],
            }),
          ),
        ],
      },
      ...['nomap', 'nokey', 'nofrom'].map((name) => untilWaiting(name, 'CreateContainerConfigError')),
      ...untilEnded('optional'),
      untilEvent('Failed', 3),
      recordStatuses('status'),
      { record: 'log', logs: 'optional' },
      recordPodEvents(),
    ],
  },
  {
    name: 'volumes that are missing',
    needs: 'kubelet',
    steps: [
      {
        apply: [
          podOnNode('map', shellContainer(forever, { volumeMounts: [{ name: 'v', mountPath: '/v' }] }), {
            volumes: [{ name: 'v', configMap: { name: 'nope' } }],
          }),
          podOnNode('secret', shellContainer(forever, { volumeMounts: [{ name: 'v', mountPath: '/v' }] }), {
            volumes: [{ name: 'v', secret: { secretName: 'nope' } }],
          }),
          podOnNode('path', shellContainer(forever, { volumeMounts: [{ name: 'v', mountPath: '/v' }] }), {
            volumes: [{ name: 'v', hostPath: { path: '/no/such/place', type: 'Directory' } }],
          }),
        ],
      },
      untilEvent('FailedMount', 3),
      recordStatuses('status'),
      recordPodEvents(({ message }) => !/Unable to attach or mount/.test(message)),
      { record: 'table', get: 'pods', table: true },
    ],
  },
  {
    name: 'out of memory',
    needs: 'kubelet',
    steps: [
      {
        apply: ['p1', 'p2', 'p3'].map((name) =>
          podThatEnds(name, {
            name: 'c',
            image: busybox,
            command: ['tail', '/dev/zero'],
            resources: { limits: { memory: '20Mi' } },
          }),
        ),
      },
      ...untilEnded('p1', 'p2', 'p3'),
      {
        until: 'one is told as OOMKilled',
        get: 'pods',
        where: (list) =>
          list.items.some(
            ({ status }: ResponseBody) => status.containerStatuses[0].state.terminated.reason === 'OOMKilled',
          ),
      },
      recordStatuses('status', 'pods', ['reason']),
    ],
  },
]
