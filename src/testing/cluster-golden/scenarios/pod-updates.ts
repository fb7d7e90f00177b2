import type { Answered, Scenario } from '../scenario.js'
import { busybox, ended, events, forever, look, once, pod, running, shell } from './node-manifests.js'

/** What is told of a pod beside its life, and what can be changed while it runs. */
export const podChanges: readonly Scenario[] = [
  {
    name: 'quality of service',
    needs: 'kubelet',
    steps: [
      {
        apply: [
          once('best', shell('exit 0')),
          once('burst', shell('exit 0', { resources: { requests: { cpu: '10m' } } })),
          once('guaranteed', shell('exit 0', { resources: { limits: { cpu: '10m', memory: '16Mi' } } })),
        ],
      },
      ...ended('best', 'burst', 'guaranteed'),
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
      { apply: pod('p', shell(forever), { shareProcessNamespace: true }) },
      ...running('p'),
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
      look('status', 'pods/p'),
      { record: 'log', logs: 'p/dbg' },
      events(),
    ],
  },
  {
    name: 'resize of cpu',
    needs: 'kubelet',
    steps: [
      {
        apply: pod(
          'p',
          shell(forever, {
            resources: { requests: { cpu: '20m', memory: '16Mi' }, limits: { cpu: '50m', memory: '16Mi' } },
          }),
        ),
      },
      ...running('p'),
      look('before', 'pods/p'),
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
          !status.conditions.some(({ type }: Answered) => /PodResize/.test(type)),
      },
      look('after', 'pods/p'),
      // a completion with the old values is sometimes told first
      events(({ reason, message }) => !(/Resize/.test(reason) && /50m/.test(message))),
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
          spec: { terminationGracePeriodSeconds: 1, containers: [shell(forever)] },
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
      events(),
    ],
  },
]
