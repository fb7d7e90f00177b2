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
  untilRunning,
} from './node-manifests.js'

/** What is told of a pod beside its life, and what can be changed while it runs. */
export const podUpdates: readonly ClusterScenario[] = [
  {
    name: 'quality of service',
    needs: 'kubelet',
    steps: [
      {
        apply: [
          podThatEnds('best', shellContainer('exit 0')),
          podThatEnds('burst', shellContainer('exit 0', { resources: { requests: { cpu: '10m' } } })),
          podThatEnds(
            'guaranteed',
            shellContainer('exit 0', { resources: { limits: { cpu: '10m', memory: '16Mi' } } }),
          ),
        ],
      },
      ...untilEnded('best', 'burst', 'guaranteed'),
      {
        record: 'classes',
        get: 'pods',
        pick: ({ metadata, status }) => ({
          metadata: { name: metadata.name },
          qos: status.qosClass,
          allocated: status.containerStatuses[0].allocatedResources,
          resources: status.containerStatuses[0].resources,
        }),
      },
    ],
  },
  {
    name: 'ephemeral container',
    needs: 'kubelet',
    steps: [
      { apply: podOnNode('p', shellContainer(forever), { shareProcessNamespace: true }) },
      ...untilRunning('p'),
      {
        patch: 'pods/p/ephemeralcontainers',
        type: 'strategic',
        body: {
          spec: { ephemeralContainers: [{ name: 'dbg', image: busybox, command: ['sh', '-c', 'echo debugging'] }] },
        },
      },
      {
        until: 'it ended',
        get: 'pods/p',
        where: ({ status }) => status.ephemeralContainerStatuses?.[0].state.terminated,
      },
      recordStatuses('status', 'pods/p'),
      { record: 'log', logs: 'p/dbg' },
      recordPodEvents(),
    ],
  },
  {
    name: 'resize of cpu',
    needs: 'kubelet',
    steps: [
      {
        apply: podOnNode(
          'p',
          shellContainer(forever, {
            resources: { requests: { cpu: '20m', memory: '16Mi' }, limits: { cpu: '50m', memory: '16Mi' } },
          }),
        ),
      },
      ...untilRunning('p'),
      recordStatuses('before', 'pods/p'),
      {
        patch: 'pods/p/resize',
        type: 'strategic',
        body: {
          spec: { containers: [{ name: 'c', resources: { requests: { cpu: '30m' }, limits: { cpu: '60m' } } }] },
        },
      },
      {
        until: 'done',
        get: 'pods/p',
        where: ({ status }) =>
          status.containerStatuses[0].resources?.limits?.cpu === '60m' &&
          !status.conditions.some(({ type }: ResponseBody) => /PodResize/.test(type)),
      },
      recordStatuses('after', 'pods/p'),
      // a completion with the old values is sometimes told first
      recordPodEvents(({ reason, message }) => !(/Resize/.test(reason) && /50m/.test(message))),
    ],
  },
  {
    name: 'static pod and its mirror',
    needs: 'kubelet',
    manifests: true,
    steps: [
      {
        file: 'static-{id}.json',
        content: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'static', namespace: '{ns}', labels: { a: 'b' } },
          spec: { terminationGracePeriodSeconds: 1, containers: [shellContainer(forever)] },
        },
      },
      {
        until: 'the mirror',
        get: 'pods/static-{node}',
        where: ({ status }) => status.phase === 'Running',
        timeout: 60,
      },
      {
        record: 'mirror',
        get: 'pods',
        pick: [
          'metadata.name',
          'metadata.labels',
          'metadata.annotations',
          'metadata.ownerReferences',
          'spec.nodeName',
          'spec.tolerations',
          'spec.priority',
          'spec.enableServiceLinks',
          'status',
        ],
      },
      { file: 'static-{id}.json' },
      { until: 'gone', get: 'pods/static-{node}', where: ({ code }) => code === 404, timeout: 60 },
      recordPodEvents(),
    ],
  },
]
