import type { ClusterScenario, ResponseBody } from '../scenario.js'
import {
  affinity,
  applyNodes,
  expression,
  podWithRequests,
  recordPods,
  scheduledPod,
  schedulingImage,
  schedulingNode,
  untilAllDecided,
  untilScheduled,
  watchEvents,
} from './scheduling-manifests.js'

/** Where a pod goes, where only one answer is right, and the exact words of every refusal. */
export const schedulingSinglePods: readonly ClusterScenario[] = [
  {
    name: 'no nodes at all',
    needs: 'scheduler',
    exclusive: true,
    steps: [{ apply: scheduledPod('p') }, untilAllDecided(1), recordPods(), watchEvents],
  },
  {
    name: 'node selector, node name, another scheduler',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...applyNodes(schedulingNode('na', { labels: { disk: 'ssd' } }), schedulingNode('nb')),
      {
        apply: [
          scheduledPod('ssd', { nodeSelector: { disk: 'ssd' } }),
          scheduledPod('tape', { nodeSelector: { disk: 'tape' } }),
          scheduledPod('fixed', { nodeName: 'nb' }),
          scheduledPod('foreign', { schedulerName: 'mine' }),
        ],
      },
      untilAllDecided(2),
      recordPods(),
      watchEvents,
      { record: 'table', get: 'pods', table: true },
      { patch: 'nodes/nb', body: { metadata: { labels: { disk: 'tape' } } } },
      untilScheduled('tape'),
      recordPods('after a label appeared'),
    ],
  },
  {
    name: 'node affinity',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...applyNodes(
        schedulingNode('na', { labels: { size: '3', zone: 'east' } }),
        schedulingNode('nb', { labels: { size: '9', zone: 'west' } }),
        schedulingNode('nc', { labels: { zone: 'north', only: 'c' } }),
      ),
      {
        apply: [
          scheduledPod('in', affinity([{ matchExpressions: [expression('zone', 'In', 'west', 'south')] }])),
          scheduledPod('notin', affinity([{ matchExpressions: [expression('zone', 'NotIn', 'west', 'north')] }])),
          scheduledPod('gt', affinity([{ matchExpressions: [expression('size', 'Gt', '5')] }])),
          scheduledPod('lt', affinity([{ matchExpressions: [expression('size', 'Lt', '5')] }])),
          scheduledPod('exists', affinity([{ matchExpressions: [expression('only', 'Exists')] }])),
          scheduledPod(
            'either',
            affinity([
              { matchExpressions: [expression('zone', 'In', 'nowhere')] },
              { matchExpressions: [expression('only', 'Exists')] },
            ]),
          ),
          scheduledPod('field', affinity([{ matchFields: [expression('metadata.name', 'In', 'nb')] }])),
          scheduledPod(
            'preferred',
            affinity(undefined, [
              { weight: 100, preference: { matchExpressions: [expression('zone', 'In', 'north')] } },
            ]),
          ),
          scheduledPod('nofield', affinity([{ matchFields: [expression('metadata.name', 'In', 'nx')] }])),
          scheduledPod(
            'none',
            affinity([{ matchExpressions: [expression('size', 'Gt', '5'), expression('zone', 'In', 'east')] }]),
          ),
        ],
      },
      untilAllDecided(10),
      recordPods(),
      watchEvents,
    ],
  },
  {
    name: 'taints and tolerations',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...applyNodes(
        schedulingNode('na', { taints: [{ key: 'team', value: 'blue', effect: 'NoSchedule' }] }),
        schedulingNode('nb', { taints: [{ key: 'gpu', effect: 'NoExecute' }] }),
      ),
      {
        apply: [
          scheduledPod('none'),
          scheduledPod('blue', {
            tolerations: [{ key: 'team', operator: 'Equal', value: 'blue', effect: 'NoSchedule' }],
          }),
          scheduledPod('red', {
            tolerations: [{ key: 'team', operator: 'Equal', value: 'red', effect: 'NoSchedule' }],
          }),
          scheduledPod('gpu', { tolerations: [{ key: 'gpu', operator: 'Exists' }] }),
        ],
      },
      untilAllDecided(4),
      recordPods(),
      watchEvents,
    ],
  },
  {
    name: 'taints: preferred ones only repel',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...applyNodes(
        schedulingNode('na', { taints: [{ key: 'k', value: 'v', effect: 'PreferNoSchedule' }] }),
        schedulingNode('nb'),
      ),
      { apply: scheduledPod('p1') },
      untilAllDecided(1),
      { patch: 'nodes/nb', body: { spec: { unschedulable: true } } },
      {
        until: 'tainted',
        get: 'nodes/nb',
        where: ({ spec }) => spec.taints?.some(({ key }: ResponseBody) => key === 'node.kubernetes.io/unschedulable'),
      },
      { sleep: 0.5 },
      { apply: scheduledPod('p2') },
      untilAllDecided(2),
      recordPods(),
      { record: 'cordoned node', get: 'nodes/nb', pick: ['spec'] },
    ],
  },
  {
    name: 'resources: what does not fit',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...applyNodes(
        schedulingNode('na', { cpu: '2', memory: '4Gi', pods: '1', more: { 'example.com/widget': '2' } }),
        schedulingNode('nb', { cpu: '1', memory: '1Gi' }),
      ),
      { apply: podWithRequests('fits', { cpu: '1500m' }) },
      untilAllDecided(1),
      {
        apply: [
          podWithRequests('cpu', { cpu: '3' }),
          podWithRequests('memory', { memory: '6Gi' }),
          podWithRequests('both', { cpu: '3', memory: '6Gi' }),
          podWithRequests('widget', { 'example.com/widget': '3' }),
          podWithRequests('unknown', { 'example.com/other': '1' }),
          podWithRequests('full', { cpu: '1100m' }),
          podWithRequests('second', { cpu: '500m' }),
        ],
      },
      untilAllDecided(8),
      recordPods(),
      watchEvents,
      { delete: 'pods/fits', body: { gracePeriodSeconds: 0 } },
      { until: 'room', get: 'pods/full', where: ({ spec }) => spec.nodeName },
      recordPods('after a pod left'),
    ],
  },
  {
    name: 'resources: the emptier node wins',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...applyNodes(schedulingNode('na'), schedulingNode('nb')),
      { apply: podWithRequests('heavy', { cpu: '3', memory: '6Gi' }, { nodeName: 'na' }) },
      { sleep: 0.5 },
      { apply: podWithRequests('p1', { cpu: '100m', memory: '100Mi' }) },
      untilScheduled('p1'),
      { apply: podWithRequests('p2', { cpu: '100m', memory: '100Mi' }) },
      untilScheduled('p2'),
      recordPods(),
      watchEvents,
    ],
  },
  {
    name: 'host ports',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...applyNodes(schedulingNode('na')),
      {
        apply: scheduledPod('first', {
          containers: [{ name: 'c', image: schedulingImage, ports: [{ containerPort: 80, hostPort: 8080 }] }],
        }),
      },
      untilAllDecided(1),
      {
        apply: [
          scheduledPod('same', {
            containers: [{ name: 'c', image: schedulingImage, ports: [{ containerPort: 90, hostPort: 8080 }] }],
          }),
          scheduledPod('udp', {
            containers: [
              { name: 'c', image: schedulingImage, ports: [{ containerPort: 90, hostPort: 8080, protocol: 'UDP' }] },
            ],
          }),
          scheduledPod('hostnet', {
            hostNetwork: true,
            containers: [{ name: 'c', image: schedulingImage, ports: [{ containerPort: 8080 }] }],
          }),
        ],
      },
      untilAllDecided(4),
      recordPods(),
      watchEvents,
    ],
  },
]
