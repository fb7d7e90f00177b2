import type { Answered, Scenario } from '../scenario.js'
import { ended, event, events, forever, look, once, pod, running, shell, statusParts } from './node-manifests.js'

/** From the first container to the last: phases, restarts, ends. */
export const podLives: readonly Scenario[] = [
  {
    name: 'success',
    needs: 'kubelet',
    steps: [
      { apply: once('p', shell('echo out; sleep 0.3; echo err >&2; exit 0')) },
      ...ended('p'),
      look('status', 'pods/p'),
      { record: 'log', logs: 'p' },
      { record: 'table', get: 'pods', table: true },
      events(),
    ],
  },
  {
    name: 'running, then deleted gracefully',
    needs: 'kubelet',
    steps: [
      { apply: pod('p', shell(forever), {}, { finalizers: ['example.com/hold'] }) },
      ...running('p'),
      look('running', 'pods/p'),
      { record: 'table while running', get: 'pods', table: true },
      { delete: 'pods/p' },
      { until: 'ended', get: 'pods/p', where: ({ status }) => status.containerStatuses[0].state.terminated },
      // whether the address is still told depends on when the sandbox goes
      {
        record: 'after deletion',
        get: 'pods/p',
        pick: ({ metadata, status }) => ({
          grace: metadata.deletionGracePeriodSeconds,
          generation: metadata.generation,
          status: { ...status, podIP: undefined, podIPs: undefined },
        }),
      },
      events(),
      { patch: 'pods/p', body: { metadata: { finalizers: null } } },
      { until: 'gone', get: 'pods/p', where: ({ code }) => code === 404 },
    ],
  },
  {
    name: 'killed after its grace period, preStop runs first',
    needs: 'kubelet',
    steps: [
      {
        apply: pod(
          'p',
          shell('while :; do sleep 1; done', {
            lifecycle: { preStop: { exec: { command: ['sh', '-c', 'echo stopping > /proc/1/fd/1'] } } },
            volumeMounts: [{ name: 'v', mountPath: '/v' }],
          }),
          { terminationGracePeriodSeconds: 3, volumes: [{ name: 'v', emptyDir: {} }] },
          { finalizers: ['example.com/hold'] },
        ),
      },
      ...running('p'),
      { delete: 'pods/p' },
      { until: 'ended', get: 'pods/p', where: ({ status }) => status.containerStatuses[0].state.terminated },
      {
        record: 'after deletion',
        get: 'pods/p',
        pick: ['metadata.deletionGracePeriodSeconds', 'status.phase', 'status.containerStatuses'],
      },
      events(),
      { patch: 'pods/p', body: { metadata: { finalizers: null } } },
    ],
  },
  {
    name: 'deleted with grace 0',
    needs: 'kubelet',
    steps: [
      { apply: pod('p', shell(forever)) },
      ...running('p'),
      { delete: 'pods/p', body: { gracePeriodSeconds: 0 } },
      { record: 'gone at once', get: 'pods', pick: statusParts },
      event('Killing'),
      events(),
    ],
  },
  {
    name: 'crash loop',
    needs: 'kubelet',
    steps: [
      { apply: pod('p', shell('echo no; exit 7')) },
      event('BackOff'),
      {
        until: 'restarted once, then held back',
        get: 'pods/p',
        where: ({ status }) =>
          status.containerStatuses[0].restartCount === 1 &&
          status.containerStatuses[0].state.waiting?.reason === 'CrashLoopBackOff',
        timeout: 60,
      },
      { ...look('status', 'pods/p', ['restartCount']), now: true },
      { record: 'table', get: 'pods', table: true, mask: ['Restarts'], now: true },
      { record: 'log', logs: 'p', now: true },
      events(),
    ],
  },
  {
    name: 'restart policies and phases',
    needs: 'kubelet',
    steps: [
      {
        apply: [
          once('never', shell('exit 3')),
          pod(
            'onfailure',
            shell('test -f /v/x && exit 0; touch /v/x; exit 4', { volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
            { restartPolicy: 'OnFailure', volumes: [{ name: 'v', emptyDir: {} }] },
          ),
          once('mixed', [shell('exit 0', { name: 'good' }), shell('exit 5', { name: 'bad' })]),
          once('half', [shell('exit 1', { name: 'gone' }), shell(forever, { name: 'stays' })]),
        ],
      },
      ...ended('never', 'onfailure', 'mixed'),
      {
        until: 'half ended',
        get: 'pods/half',
        where: ({ status }) =>
          status.containerStatuses.some(({ state }: Answered) => state.terminated) &&
          status.containerStatuses.some(({ state }: Answered) => state.running),
      },
      look('status'),
      { record: 'table', get: 'pods', table: true },
    ],
  },
  {
    name: 'termination messages',
    needs: 'kubelet',
    steps: [
      {
        apply: [
          once('file', shell('echo from file > /dev/termination-log; exit 1')),
          once('path', shell('echo elsewhere > /tmp/why; exit 0', { terminationMessagePath: '/tmp/why' })),
          once('logs', shell('echo one; echo two; exit 1', { terminationMessagePolicy: 'FallbackToLogsOnError' })),
          once('fine', shell('echo one; exit 0', { terminationMessagePolicy: 'FallbackToLogsOnError' })),
          once(
            'both',
            shell('echo log; echo file > /dev/termination-log; exit 1', {
              terminationMessagePolicy: 'FallbackToLogsOnError',
            }),
          ),
        ],
      },
      ...ended('file', 'path', 'logs', 'fine', 'both'),
      {
        record: 'terminated',
        get: 'pods',
        pick: ({ metadata, status }) => ({
          metadata: { name: metadata.name },
          phase: status.phase,
          state: status.containerStatuses[0].state,
        }),
      },
    ],
  },
  {
    name: 'init containers',
    needs: 'kubelet',
    steps: [
      {
        apply: once('p', shell('cat /v/x', { volumeMounts: [{ name: 'v', mountPath: '/v' }] }), {
          initContainers: [
            shell('echo first > /v/x', { name: 'i1', volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
            shell('echo second >> /v/x', { name: 'i2', volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
          ],
          volumes: [{ name: 'v', emptyDir: {} }],
        }),
      },
      ...ended('p'),
      look('status', 'pods/p'),
      { record: 'log', logs: 'p/c' },
      events(),
    ],
  },
  {
    name: 'init containers: a failing one',
    needs: 'kubelet',
    steps: [
      {
        apply: [
          once('never', shell('exit 0'), {
            initContainers: [shell('exit 2', { name: 'i1' }), shell('exit 0', { name: 'i2' })],
          }),
          pod('always', shell(forever), { initContainers: [shell('exit 2', { name: 'i1' })] }),
        ],
      },
      ...ended('never'),
      {
        until: 'restarted once, then held back',
        get: 'pods/always',
        where: ({ status }) =>
          status.initContainerStatuses[0].restartCount === 1 &&
          status.initContainerStatuses[0].state.waiting?.reason === 'CrashLoopBackOff',
        timeout: 60,
      },
      { ...look('status', 'pods', ['restartCount']), now: true },
      { record: 'table', get: 'pods/never', table: true },
      event('BackOff'),
      events(),
    ],
  },
  {
    name: 'sidecar containers',
    needs: 'kubelet',
    steps: [
      {
        apply: once('p', shell('sleep 1; echo main'), {
          initContainers: [shell(forever, { name: 'side', restartPolicy: 'Always' }), shell('exit 0', { name: 'i' })],
        }),
      },
      ...ended('p'),
      {
        until: 'sidecar ended',
        get: 'pods/p',
        where: ({ status }) => status.initContainerStatuses[0].state.terminated,
      },
      look('status', 'pods/p'),
      { record: 'table', get: 'pods', table: true },
      events(),
    ],
  },
  {
    name: 'active deadline',
    needs: 'kubelet',
    steps: [
      { apply: pod('p', shell(forever), { activeDeadlineSeconds: 2 }) },
      ...ended('p'),
      {
        until: 'container ended',
        get: 'pods/p',
        where: ({ status }) => status.containerStatuses?.[0].state.terminated,
      },
      look('status', 'pods/p'),
      { record: 'table', get: 'pods', table: true },
      events(),
    ],
  },
]
