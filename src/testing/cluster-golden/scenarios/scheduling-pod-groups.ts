import type { Answered, Scenario } from '../scenario.js'
import {
  affinity,
  asking,
  decided,
  events,
  expression,
  look,
  near,
  node,
  nodes,
  placed,
  pod,
  verdict,
} from './scheduling-manifests.js'
import { claim, volume } from './volume-manifests.js'

/** Pods that mind each other, push each other out, or wait. */
export const placingTogether: readonly Scenario[] = [
  {
    name: 'topology spread',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...nodes(node('na', { labels: { zone: 'a' } }), node('nb', { labels: { zone: 'b' } }), node('nc')),
      { apply: [pod('e1', { nodeName: 'na' }, { app: 'web' }), pod('e2', { nodeName: 'na' }, { app: 'web' })] },
      { sleep: 0.5 },
      {
        apply: pod(
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
      placed('spread'),
      {
        apply: [
          pod(
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
          pod(
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
          pod(
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
      decided(4),
      look(),
      events,
    ],
  },
  {
    name: 'pod affinity and anti-affinity',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...nodes(node('na', { labels: { zone: 'a' } }), node('nb', { labels: { zone: 'b' } })),
      { apply: pod('db', { nodeName: 'na' }, { app: 'db' }) },
      { sleep: 0.5 },
      {
        apply: [
          pod('near', near('podAffinity', 'db', 'zone')),
          pod('far', near('podAntiAffinity', 'db', 'zone'), { app: 'far' }),
        ],
      },
      decided(2),
      {
        apply: [
          pod('lonely', near('podAffinity', 'nothing', 'zone')),
          pod('self', near('podAffinity', 'selfie', 'zone'), { app: 'selfie' }),
          pod('neither', { ...near('podAntiAffinity', 'db', 'zone'), nodeSelector: { zone: 'a' } }),
          pod('badkey', near('podAffinity', 'db', 'rack')),
        ],
      },
      decided(6),
      {
        record: 'pods',
        get: 'pods',
        pick: (pod) =>
          pod.metadata.name === 'self' ? { metadata: { name: 'self' }, placed: !!pod.spec.nodeName } : verdict(pod),
      },
      { record: 'events', events: ({ involvedObject }) => involvedObject.name !== 'self' },
    ],
  },
  {
    name: 'pod anti-affinity of those already there',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...nodes(node('na', { labels: { zone: 'a' } })),
      { apply: pod('hermit', { nodeName: 'na', ...near('podAntiAffinity', 'web', 'zone') }) },
      { sleep: 0.5 },
      { apply: [pod('w', {}, { app: 'web' }), pod('other', {}, { app: 'other' })] },
      decided(2),
      look(),
      events,
    ],
  },
  {
    name: 'a mixture of reasons',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...nodes(
        node('na', { unschedulable: true }),
        node('nb', { taints: [{ key: 'team', value: 'blue', effect: 'NoSchedule' }] }),
        node('nc', { cpu: '1' }),
        node('nd', { labels: { disk: 'hdd' } }),
        node('ne', { cpu: '1', memory: '1Gi' }),
      ),
      {
        apply: [
          asking(
            'p',
            { cpu: '2', memory: '2Gi' },
            affinity([{ matchExpressions: [expression('disk', 'DoesNotExist')] }]),
          ),
          pod('q', { nodeSelector: { disk: 'ssd' }, tolerations: [{ operator: 'Exists' }] }),
          asking('r', { cpu: '5' }, { tolerations: [{ key: 'team', operator: 'Exists' }] }),
        ],
      },
      decided(3),
      look(),
      events,
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
      ...nodes(node('na', { cpu: '2' })),
      { apply: asking('victim', { cpu: '1500m' }, { priorityClassName: 'low-{id}' }) },
      placed('victim'),
      { apply: asking('small', { cpu: '100m' }, { priorityClassName: 'low-{id}' }) },
      placed('small'),
      { apply: asking('vip', { cpu: '1' }, { priorityClassName: 'high-{id}' }) },
      { until: 'nominated', get: 'pods/vip', where: ({ status }) => status.nominatedNodeName },
      { until: 'victim leaving', get: 'pods/victim', where: ({ metadata }) => metadata.deletionTimestamp },
      look('while the victim leaves'),
      { delete: 'pods/victim', body: { gracePeriodSeconds: 0 } },
      placed('vip'),
      look('after it left'),
      events,
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
      ...nodes(node('na', { cpu: '2' }), node('nb', { cpu: '2', taints: [{ key: 'k', effect: 'NoSchedule' }] })),
      { apply: asking('equal', { cpu: '1500m' }, { priorityClassName: 'high-{id}' }) },
      placed('equal'),
      {
        apply: [
          asking('same', { cpu: '1' }, { priorityClassName: 'high-{id}' }),
          asking('never', { cpu: '1' }, { priorityClassName: 'polite-{id}' }),
          asking('huge', { cpu: '9' }, { priorityClassName: 'high-{id}' }),
        ],
      },
      decided(4),
      look(),
      events,
    ],
  },
  {
    name: 'scheduling gates',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...nodes(node('na')),
      { apply: pod('gated', { schedulingGates: [{ name: 'example.com/a' }, { name: 'example.com/b' }] }) },
      decided(1),
      look('gated'),
      { record: 'table', get: 'pods', table: true },
      { patch: 'pods/gated', type: 'json', body: [{ op: 'remove', path: '/spec/schedulingGates' }] },
      placed('gated'),
      look('released'),
      events,
    ],
  },
  {
    name: 'volumes: claims that keep a pod waiting',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...nodes(node('na', { labels: { zone: 'a' } })),
      {
        apply: [
          {
            kind: 'StorageClass',
            metadata: { name: 'wait-{id}' },
            provisioner: 'kubernetes.io/no-provisioner',
            volumeBindingMode: 'WaitForFirstConsumer',
          },
          volume('away-{id}', '1Gi', 'away-{id}', {
            local: { path: '/x' },
            nodeAffinity: {
              required: { nodeSelectorTerms: [{ matchExpressions: [expression('zone', 'In', 'b')] }] },
            },
          }),
          claim('now', { storageClassName: '', storage: '900Gi' }),
          claim('later', { storageClassName: 'wait-{id}' }),
          claim('elsewhere', { storageClassName: 'away-{id}' }),
        ],
      },
      { until: 'bound', get: 'persistentvolumeclaims/elsewhere', where: ({ status }) => status.phase === 'Bound' },
      { sleep: 1 },
      {
        apply: ['missing', 'now', 'later', 'elsewhere'].map((name) =>
          pod(name, { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: name } }] }),
        ),
      },
      decided(4),
      look(),
      { record: 'claims', get: 'persistentvolumeclaims', pick: ['metadata.name', 'metadata.annotations', 'status'] },
      {
        until: 'claim events',
        get: 'events',
        where: (list) =>
          list.items.some(
            ({ reason }: Answered) => reason === 'WaitForPodScheduled' || reason === 'WaitForFirstConsumer',
          ),
      },
      { record: 'events', events: ({ involvedObject }) => involvedObject.kind === 'Pod' },
    ],
  },
]
