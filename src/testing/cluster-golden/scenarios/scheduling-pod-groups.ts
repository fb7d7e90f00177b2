import type { ClusterScenario, ResponseBody } from '../scenario.js'
import {
  affinity,
  applyNodes,
  expression,
  podAffinityTo,
  podWithRequests,
  recordPods,
  scheduledPod,
  schedulingNode,
  schedulingResult,
  untilAllDecided,
  untilScheduled,
  watchEvents,
} from './scheduling-manifests.js'
import { claimManifest, volumeManifest } from './volume-manifests.js'

/** Pods that mind each other, push each other out, or wait. */
export const schedulingPodGroups: readonly ClusterScenario[] = [
  {
    name: 'topology spread',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...applyNodes(
        schedulingNode('na', { labels: { zone: 'a' } }),
        schedulingNode('nb', { labels: { zone: 'b' } }),
        schedulingNode('nc'),
      ),
      {
        apply: [
          scheduledPod('e1', { nodeName: 'na' }, { app: 'web' }),
          scheduledPod('e2', { nodeName: 'na' }, { app: 'web' }),
        ],
      },
      { sleep: 0.5 },
      {
        apply: scheduledPod(
          'spread',
          {
            topologySpreadConstraints: [
              {
                maxSkew: 1,
                topologyKey: 'zone',
                whenUnsatisfiable: 'DoNotSchedule',
                labelSelector: { matchLabels: { app: 'web' } },
              },
            ],
          },
          { app: 'web' },
        ),
      },
      untilScheduled('spread'),
      {
        apply: [
          scheduledPod(
            'stuck',
            {
              nodeSelector: { zone: 'a' },
              topologySpreadConstraints: [
                {
                  maxSkew: 1,
                  topologyKey: 'zone',
                  whenUnsatisfiable: 'DoNotSchedule',
                  nodeAffinityPolicy: 'Ignore',
                  labelSelector: { matchLabels: { app: 'web' } },
                },
              ],
            },
            { app: 'web' },
          ),
          scheduledPod(
            'nokey',
            {
              topologySpreadConstraints: [
                {
                  maxSkew: 1,
                  topologyKey: 'rack',
                  whenUnsatisfiable: 'DoNotSchedule',
                  labelSelector: { matchLabels: { app: 'web' } },
                },
              ],
            },
            { app: 'web' },
          ),
          scheduledPod(
            'mindomains',
            {
              topologySpreadConstraints: [
                {
                  maxSkew: 1,
                  minDomains: 5,
                  topologyKey: 'zone',
                  whenUnsatisfiable: 'DoNotSchedule',
                  labelSelector: { matchLabels: { app: 'web' } },
                },
              ],
            },
            { app: 'web' },
          ),
        ],
      },
      untilAllDecided(4),
      recordPods(),
      watchEvents,
    ],
  },
  {
    name: 'pod affinity and anti-affinity',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...applyNodes(schedulingNode('na', { labels: { zone: 'a' } }), schedulingNode('nb', { labels: { zone: 'b' } })),
      { apply: scheduledPod('db', { nodeName: 'na' }, { app: 'db' }) },
      { sleep: 0.5 },
      {
        apply: [
          scheduledPod('near', podAffinityTo('podAffinity', 'db', 'zone')),
          scheduledPod('far', podAffinityTo('podAntiAffinity', 'db', 'zone'), { app: 'far' }),
        ],
      },
      untilAllDecided(2),
      {
        apply: [
          scheduledPod('lonely', podAffinityTo('podAffinity', 'nothing', 'zone')),
          scheduledPod('self', podAffinityTo('podAffinity', 'selfie', 'zone'), { app: 'selfie' }),
          scheduledPod('neither', { ...podAffinityTo('podAntiAffinity', 'db', 'zone'), nodeSelector: { zone: 'a' } }),
          scheduledPod('badkey', podAffinityTo('podAffinity', 'db', 'rack')),
        ],
      },
      untilAllDecided(6),
      {
        record: 'pods',
        get: 'pods',
        pick: (pod) =>
          pod.metadata.name === 'self'
            ? { metadata: { name: 'self' }, placed: !!pod.spec.nodeName }
            : schedulingResult(pod),
      },
      { record: 'events', events: ({ involvedObject }) => involvedObject.name !== 'self' },
    ],
  },
  {
    name: 'pod anti-affinity of those already there',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...applyNodes(schedulingNode('na', { labels: { zone: 'a' } })),
      { apply: scheduledPod('hermit', { nodeName: 'na', ...podAffinityTo('podAntiAffinity', 'web', 'zone') }) },
      { sleep: 0.5 },
      { apply: [scheduledPod('w', {}, { app: 'web' }), scheduledPod('other', {}, { app: 'other' })] },
      untilAllDecided(2),
      recordPods(),
      watchEvents,
    ],
  },
  {
    name: 'a mixture of reasons',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...applyNodes(
        schedulingNode('na', { unschedulable: true }),
        schedulingNode('nb', { taints: [{ key: 'team', value: 'blue', effect: 'NoSchedule' }] }),
        schedulingNode('nc', { cpu: '1' }),
        schedulingNode('nd', { labels: { disk: 'hdd' } }),
        schedulingNode('ne', { cpu: '1', memory: '1Gi' }),
      ),
      {
        apply: [
          podWithRequests(
            'p',
            { cpu: '2', memory: '2Gi' },
            affinity([{ matchExpressions: [expression('disk', 'DoesNotExist')] }]),
          ),
          scheduledPod('q', { nodeSelector: { disk: 'ssd' }, tolerations: [{ operator: 'Exists' }] }),
          podWithRequests('r', { cpu: '5' }, { tolerations: [{ key: 'team', operator: 'Exists' }] }),
        ],
      },
      untilAllDecided(3),
      recordPods(),
      watchEvents,
    ],
  },
  {
    name: 'preemption',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      {
        apply: [
          { kind: 'PriorityClass', metadata: { name: 'high-{id}' }, value: 1000 },
          { kind: 'PriorityClass', metadata: { name: 'low-{id}' }, value: 10 },
        ],
      },
      ...applyNodes(schedulingNode('na', { cpu: '2' })),
      { apply: podWithRequests('victim', { cpu: '1500m' }, { priorityClassName: 'low-{id}' }) },
      untilScheduled('victim'),
      { apply: podWithRequests('small', { cpu: '100m' }, { priorityClassName: 'low-{id}' }) },
      untilScheduled('small'),
      { apply: podWithRequests('vip', { cpu: '1' }, { priorityClassName: 'high-{id}' }) },
      { until: 'nominated', get: 'pods/vip', where: ({ status }) => status.nominatedNodeName },
      { until: 'victim leaving', get: 'pods/victim', where: ({ metadata }) => metadata.deletionTimestamp },
      recordPods('while the victim leaves'),
      { delete: 'pods/victim', body: { gracePeriodSeconds: 0 } },
      untilScheduled('vip'),
      recordPods('after it left'),
      watchEvents,
    ],
  },
  {
    name: 'preemption: not possible',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      {
        apply: [
          { kind: 'PriorityClass', metadata: { name: 'high-{id}' }, value: 1000 },
          { kind: 'PriorityClass', metadata: { name: 'polite-{id}' }, value: 1000, preemptionPolicy: 'Never' },
        ],
      },
      ...applyNodes(
        schedulingNode('na', { cpu: '2' }),
        schedulingNode('nb', { cpu: '2', taints: [{ key: 'k', effect: 'NoSchedule' }] }),
      ),
      { apply: podWithRequests('equal', { cpu: '1500m' }, { priorityClassName: 'high-{id}' }) },
      untilScheduled('equal'),
      {
        apply: [
          podWithRequests('same', { cpu: '1' }, { priorityClassName: 'high-{id}' }),
          podWithRequests('never', { cpu: '1' }, { priorityClassName: 'polite-{id}' }),
          podWithRequests('huge', { cpu: '9' }, { priorityClassName: 'high-{id}' }),
        ],
      },
      untilAllDecided(4),
      recordPods(),
      watchEvents,
    ],
  },
  {
    name: 'scheduling gates',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...applyNodes(schedulingNode('na')),
      { apply: scheduledPod('gated', { schedulingGates: [{ name: 'example.com/a' }, { name: 'example.com/b' }] }) },
      untilAllDecided(1),
      recordPods('gated'),
      { record: 'table', get: 'pods', table: true },
      { patch: 'pods/gated', type: 'json', body: [{ op: 'remove', path: '/spec/schedulingGates' }] },
      untilScheduled('gated'),
      recordPods('released'),
      watchEvents,
    ],
  },
  {
    name: 'volumes: claims that keep a pod waiting',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...applyNodes(schedulingNode('na', { labels: { zone: 'a' } })),
      {
        apply: [
          {
            kind: 'StorageClass',
            metadata: { name: 'wait-{id}' },
            provisioner: 'kubernetes.io/no-provisioner',
            volumeBindingMode: 'WaitForFirstConsumer',
          },
          volumeManifest('away-{id}', '1Gi', 'away-{id}', {
            local: { path: '/x' },
            nodeAffinity: {
              required: { nodeSelectorTerms: [{ matchExpressions: [expression('zone', 'In', 'b')] }] },
            },
          }),
          claimManifest('now', { storageClassName: '', storage: '900Gi' }),
          claimManifest('later', { storageClassName: 'wait-{id}' }),
          claimManifest('elsewhere', { storageClassName: 'away-{id}' }),
        ],
      },
      { until: 'bound', get: 'persistentvolumeclaims/elsewhere', where: ({ status }) => status.phase === 'Bound' },
      { sleep: 1 },
      {
        apply: ['missing', 'now', 'later', 'elsewhere'].map((name) =>
          scheduledPod(name, { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: name } }] }),
        ),
      },
      untilAllDecided(4),
      recordPods(),
      { record: 'claims', get: 'persistentvolumeclaims', pick: ['metadata.name', 'metadata.annotations', 'status'] },
      {
        until: 'claim events',
        get: 'events',
        where: (list) =>
          list.items.some(
            ({ reason }: ResponseBody) => reason === 'WaitForPodScheduled' || reason === 'WaitForFirstConsumer',
          ),
      },
      { record: 'events', events: ({ involvedObject }) => involvedObject.kind === 'Pod' },
    ],
  },
]
