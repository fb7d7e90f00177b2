import type { Answered, Scenario } from '../scenario.js'
import { busybox, ended, event, events, forever, look, once, pod, shell, waiting } from './node-manifests.js'

/** What goes wrong with pods, and how it is told. */
export const podTroubles: readonly Scenario[] = [
  {
    name: 'postStart fails',
    needs: 'kubelet',
    steps: [
      {
        apply: once(
          'p',
          shell(forever, { lifecycle: { postStart: { exec: { command: ['sh', '-c', 'echo sorry; exit 9'] } } } }),
        ),
      },
      ...ended('p'),
      look('status', 'pods/p'),
      event('FailedPostStartHook'),
      events(),
    ],
  },
  {
    name: 'liveness probe fails',
    needs: 'kubelet',
    steps: [
      {
        apply: once(
          'p',
          shell(forever, {
            livenessProbe: {
              exec: { command: ['sh', '-c', 'echo not well; exit 1'] },
              periodSeconds: 1,
              failureThreshold: 2,
            },
          }),
        ),
      },
      ...ended('p'),
      look('status', 'pods/p'),
      events(),
    ],
  },
  {
    name: 'readiness probe and readiness gate',
    needs: 'kubelet',
    steps: [
      {
        apply: pod(
          'p',
          shell(forever, { readinessProbe: { exec: { command: ['cat', '/tmp/ready'] }, periodSeconds: 1 } }),
          { readinessGates: [{ conditionType: 'example.com/gate' }] },
        ),
      },
      event('Unhealthy'),
      look('not ready', 'pods/p'),
      {
        patch: 'pods/p/status',
        type: 'strategic',
        body: { status: { conditions: [{ type: 'example.com/gate', status: 'True' }] } },
      },
      {
        until: 'gate seen',
        get: 'pods/p',
        where: ({ status }) =>
          status.conditions.find(({ type }: Answered) => type === 'Ready').reason === 'ContainersNotReady',
      },
      look('gate open', 'pods/p'),
      { record: 'table', get: 'pods', table: true },
      events(),
    ],
  },
  {
    name: 'startup probe fails over tcp',
    needs: 'kubelet',
    steps: [
      {
        apply: once(
          'p',
          shell(forever, {
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
      ...ended('p'),
      look('status', 'pods/p'),
      events(),
    ],
  },
  {
    name: 'images that cannot be had',
    needs: 'kubelet',
    steps: [
      {
        apply: [
          pod('backoff', { name: 'c', image: 'localhost:5999/none:1' }),
          pod('never', { name: 'c', image: 'localhost:5999/none:2', imagePullPolicy: 'Never' }),
          pod('invalid', { name: 'c', image: 'UPPER' }),
        ],
      },
      waiting('backoff', 'ImagePullBackOff'),
      waiting('never', 'ErrImageNeverPull'),
      waiting('invalid', 'InvalidImageName'),
      event('BackOff'),
      event('InspectFailed'),
      event('ErrImageNeverPull'),
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
              ? status.containerStatuses.map((container: Answered) => ({
                  ...container,
                  state: { waiting: { reason: 'ImagePullBackOff or ErrImagePull' } },
                }))
              : status.containerStatuses,
        }),
      },
      events(),
    ],
  },
  {
    name: 'configuration errors',
    needs: 'kubelet',
    steps: [
      { apply: { kind: 'Secret', metadata: { name: 's' }, stringData: { a: '1' } } },
      {
        apply: [
          pod(
            'nomap',
            shell(forever, { env: [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'nope', key: 'k' } } }] }),
          ),
          pod('nokey', shell(forever, { env: [{ name: 'X', valueFrom: { secretKeyRef: { name: 's', key: 'b' } } }] })),
          pod('nofrom', shell(forever, { envFrom: [{ configMapRef: { name: 'nope' } }] })),
          once(
            'optional',
            shell('echo "[$X][$a]"', {
              env: [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'nope', key: 'k', optional: true } } }],
              envFrom: [{ secretRef: { name: 's' } }, { configMapRef: { name: 'nope', optional: true } }],
            }),
          ),
        ],
      },
      ...['nomap', 'nokey', 'nofrom'].map((name) => waiting(name, 'CreateContainerConfigError')),
      ...ended('optional'),
      event('Failed', 3),
      look('status'),
      { record: 'log', logs: 'optional' },
      events(),
    ],
  },
  {
    name: 'volumes that are missing',
    needs: 'kubelet',
    steps: [
      {
        apply: [
          pod('map', shell(forever, { volumeMounts: [{ name: 'v', mountPath: '/v' }] }), {
            volumes: [{ name: 'v', configMap: { name: 'nope' } }],
          }),
          pod('secret', shell(forever, { volumeMounts: [{ name: 'v', mountPath: '/v' }] }), {
            volumes: [{ name: 'v', secret: { secretName: 'nope' } }],
          }),
          pod('path', shell(forever, { volumeMounts: [{ name: 'v', mountPath: '/v' }] }), {
            volumes: [{ name: 'v', hostPath: { path: '/no/such/place', type: 'Directory' } }],
          }),
        ],
      },
      event('FailedMount', 3),
      look('status'),
      events(({ message }) => !/Unable to attach or mount/.test(message)),
      { record: 'table', get: 'pods', table: true },
    ],
  },
  {
    name: 'out of memory',
    needs: 'kubelet',
    steps: [
      {
        apply: ['p1', 'p2', 'p3'].map((name) =>
          once(name, {
            name: 'c',
            image: busybox,
            command: ['tail', '/dev/zero'],
            resources: { limits: { memory: '20Mi' } },
          }),
        ),
      },
      ...ended('p1', 'p2', 'p3'),
      {
        until: 'one is told as OOMKilled',
        get: 'pods',
        where: (list) =>
          list.items.some(
            ({ status }: Answered) => status.containerStatuses[0].state.terminated.reason === 'OOMKilled',
          ),
      },
      look('status', 'pods', ['reason']),
    ],
  },
]
