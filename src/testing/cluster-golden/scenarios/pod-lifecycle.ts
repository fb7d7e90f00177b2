import type { ClusterScenario, ResponseBody } from '../scenario.js'
import {
  forever,
  podOnNode,
  podThatEnds,
  recordPodEvents,
  recordStatuses,
  shellContainer,
  statusFields,
  untilEnded,
  untilEvent,
  untilRunning,
} from './node-manifests.js'

/** From the first container to the last: phases, restarts, ends. */
export const podLifecycle: readonly ClusterScenario[] = [
  {
    name: 'success',
    needs: 'kubelet',
    steps: [
      { apply: podThatEnds('p', shellContainer('echo out; sleep 0.3; echo err >&2; exit 0')) },
      ...untilEnded('p'),
      recordStatuses('status', 'pods/p'),
      { record: 'log', logs: 'p' },
      { record: 'table', get: 'pods', table: true },
      recordPodEvents(),
    ],
  },
  {
    name: 'running, then deleted gracefully',
    needs: 'kubelet',
    steps: [
      { apply: podOnNode('p', shellContainer(forever), {}, { finalizers: ['example.com/hold'] }) },
      ...untilRunning('p'),
      recordStatuses('running', 'pods/p'),
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
      recordPodEvents(),
      { patch: 'pods/p', body: { metadata: { finalizers: null } } },
      { until: 'gone', get: 'pods/p', where: ({ code }) => code === 404 },
    ],
  },
  {
    name: 'killed after its grace period, preStop runs first',
    needs: 'kubelet',
    steps: [
      {
        apply: podOnNode(
          'p',
          shellContainer('while :; do sleep 1; done', {
            lifecycle: { preStop: { exec: { command: ['sh', '-c', 'echo stopping > /proc/1/fd/1'] } } },
            volumeMounts: [{ name: 'v', mountPath: '/v' }],
          }),
          { terminationGracePeriodSeconds: 3, volumes: [{ name: 'v', emptyDir: {} }] },
          { finalizers: ['example.com/hold'] },
        ),
      },
      ...untilRunning('p'),
      { delete: 'pods/p' },
      { until: 'ended', get: 'pods/p', where: ({ status }) => status.containerStatuses[0].state.terminated },
      {
        record: 'after deletion',
        get: 'pods/p',
        pick: ['metadata.deletionGracePeriodSeconds', 'status.phase', 'status.containerStatuses'],
      },
      recordPodEvents(),
      { patch: 'pods/p', body: { metadata: { finalizers: null } } },
    ],
  },
  {
    name: 'deleted with grace 0',
    needs: 'kubelet',
    steps: [
      { apply: podOnNode('p', shellContainer(forever)) },
      ...untilRunning('p'),
      { delete: 'pods/p', body: { gracePeriodSeconds: 0 } },
      { record: 'gone at once', get: 'pods', pick: statusFields },
      untilEvent('Killing'),
      recordPodEvents(),
    ],
  },
  {
    name: 'crash loop',
    needs: 'kubelet',
    steps: [
      { apply: podOnNode('p', shellContainer('echo no; exit 7')) },
      untilEvent('BackOff'),
      {
        until: 'restarted once, then held back',
        get: 'pods/p',
        where: ({ status }) =>
          status.containerStatuses[0].restartCount === 1 &&
          status.containerStatuses[0].state.waiting?.reason === 'CrashLoopBackOff',
        timeout: 60,
      },
      { ...recordStatuses('status', 'pods/p', ['restartCount']), now: true },
      { record: 'table', get: 'pods', table: true, mask: ['Restarts'], now: true },
      { record: 'log', logs: 'p', now: true },
      recordPodEvents(),
    ],
  },
  {
    name: 'restart policies and phases',
    needs: 'kubelet',
    steps: [
      {
        apply: [
          podThatEnds('never', shellContainer('exit 3')),
          podOnNode(
            'onfailure',
            shellContainer('test -f /v/x && exit 0; touch /v/x; exit 4', {
              volumeMounts: [{ name: 'v', mountPath: '/v' }],
            }),
            { restartPolicy: 'OnFailure', volumes: [{ name: 'v', emptyDir: {} }] },
          ),
          podThatEnds('mixed', [shellContainer('exit 0', { name: 'good' }), shellContainer('exit 5', { name: 'bad' })]),
          podThatEnds('half', [shellContainer('exit 1', { name: 'gone' }), shellContainer(forever, { name: 'stays' })]),
        ],
      },
      ...untilEnded('never', 'onfailure', 'mixed'),
      {
        until: 'half ended',
        get: 'pods/half',
        where: ({ status }) =>
          status.containerStatuses.some(({ state }: ResponseBody) => state.terminated) &&
          status.containerStatuses.some(({ state }: ResponseBody) => state.running),
      },
      recordStatuses('status'),
      { record: 'table', get: 'pods', table: true },
    ],
  },
  {
    name: 'termination messages',
    needs: 'kubelet',
    steps: [
      {
        apply: [
          podThatEnds('file', shellContainer('echo from file > /dev/termination-log; exit 1')),
          podThatEnds(
            'path',
            shellContainer('echo elsewhere > /tmp/why; exit 0', { terminationMessagePath: '/tmp/why' }),
          ),
          podThatEnds(
            'logs',
            shellContainer('echo one; echo two; exit 1', { terminationMessagePolicy: 'FallbackToLogsOnError' }),
          ),
          podThatEnds(
            'fine',
            shellContainer('echo one; exit 0', { terminationMessagePolicy: 'FallbackToLogsOnError' }),
          ),
          podThatEnds(
            'both',
            shellContainer('echo log; echo file > /dev/termination-log; exit 1', {
              terminationMessagePolicy: 'FallbackToLogsOnError',
            }),
          ),
        ],
      },
      ...untilEnded('file', 'path', 'logs', 'fine', 'both'),
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
        apply: podThatEnds('p', shellContainer('cat /v/x', { volumeMounts: [{ name: 'v', mountPath: '/v' }] }), {
          initContainers: [
            shellContainer('echo first > /v/x', { name: 'i1', volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
            shellContainer('echo second >> /v/x', { name: 'i2', volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
          ],
          volumes: [{ name: 'v', emptyDir: {} }],
        }),
      },
      ...untilEnded('p'),
      recordStatuses('status', 'pods/p'),
      { record: 'log', logs: 'p/c' },
      recordPodEvents(),
    ],
  },
  {
    name: 'init containers: a failing one',
    needs: 'kubelet',
    steps: [
      {
        apply: [
          podThatEnds('never', shellContainer('exit 0'), {
            initContainers: [shellContainer('exit 2', { name: 'i1' }), shellContainer('exit 0', { name: 'i2' })],
          }),
          podOnNode('always', shellContainer(forever), { initContainers: [shellContainer('exit 2', { name: 'i1' })] }),
        ],
      },
      ...untilEnded('never'),
      {
        until: 'restarted once, then held back',
        get: 'pods/always',
        where: ({ status }) =>
          status.initContainerStatuses[0].restartCount === 1 &&
          status.initContainerStatuses[0].state.waiting?.reason === 'CrashLoopBackOff',
        timeout: 60,
      },
      { ...recordStatuses('status', 'pods', ['restartCount']), now: true },
      { record: 'table', get: 'pods/never', table: true },
      untilEvent('BackOff'),
      recordPodEvents(),
    ],
  },
  {
    name: 'sidecar containers',
    needs: 'kubelet',
    steps: [
      {
        apply: podThatEnds('p', shellContainer('sleep 1; echo main'), {
          initContainers: [
            shellContainer(forever, { name: 'side', restartPolicy: 'Always' }),
            shellContainer('exit 0', { name: 'i' }),
          ],
        }),
      },
      ...untilEnded('p'),
      {
        until: 'sidecar ended',
        get: 'pods/p',
        where: ({ status }) => status.initContainerStatuses[0].state.terminated,
      },
      recordStatuses('status', 'pods/p'),
      { record: 'table', get: 'pods', table: true },
      recordPodEvents(),
    ],
  },
  {
    name: 'active deadline',
    needs: 'kubelet',
    steps: [
      { apply: podOnNode('p', shellContainer(forever), { activeDeadlineSeconds: 2 }) },
      ...untilEnded('p'),
      {
        until: 'container ended',
        get: 'pods/p',
        where: ({ status }) => status.containerStatuses?.[0].state.terminated,
      },
      recordStatuses('status', 'pods/p'),
      { record: 'table', get: 'pods', table: true },
      recordPodEvents(),
    ],
  },
]
