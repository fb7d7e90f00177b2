import type { Answered, Scenario } from '../scenario.js'
import {
  affinity,
  asking,
  decided,
  events,
  expression,
  image,
  look,
  node,
  nodes,
  placed,
  pod,
} from './scheduling-manifests.js'

/** Where a pod goes, where only one answer is right, and the exact words of every refusal. */
export const placing: readonly Scenario[] = [
  {
    name: 'no nodes at all',
    needs: 'scheduler',
    exclusive: true,
    steps: [{ apply: pod('p') }, decided(1), look(), events],
  },
  {
    name: 'node selector, node name, another scheduler',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...nodes(node('na', { labels: { disk: 'ssd' } }), node('nb')),
      {
        apply: [
          pod('ssd', { nodeSelector: { disk: 'ssd' } }),
          pod('tape', { nodeSelector: { disk: 'tape' } }),
          pod('fixed', { nodeName: 'nb' }),
          pod('foreign', { schedulerName: 'mine' }),
        ],
      },
      decided(2),
      look(),
      events,
      { record: 'table', get: 'pods', table: true },
      { patch: 'nodes/nb', body: { metadata: { labels: { disk: 'tape' } } } },
      placed('tape'),
      look('after a label appeared'),
    ],
  },
  {
    name: 'node affinity',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...nodes(
        node('na', { labels: { size: '3', zone: 'east' } }),
        node('nb', { labels: { size: '9', zone: 'west' } }),
        node('nc', { labels: { zone: 'north', only: 'c' } }),
      ),
      {
        apply: [
          pod('in', affinity([{ matchExpressions: [expression('zone', 'In', 'west', 'south')] }])),
          pod('notin', affinity([{ matchExpressions: [expression('zone', 'NotIn', 'west', 'north')] }])),
          pod('gt', affinity([{ matchExpressions: [expression('size', 'Gt', '5')] }])),
          pod('lt', affinity([{ matchExpressions: [expression('size', 'Lt', '5')] }])),
          pod('exists', affinity([{ matchExpressions: [expression('only', 'Exists')] }])),
          pod(
            'either',
            affinity([
              { matchExpressions: [expression('zone', 'In', 'nowhere')] },
              { matchExpressions: [expression('only', 'Exists')] },
            ]),
          ),
          pod('field', affinity([{ matchFields: [expression('metadata.name', 'In', 'nb')] }])),
          pod(
            'preferred',
            affinity(undefined, [
              { weight: 100, preference: { matchExpressions: [expression('zone', 'In', 'north')] } },
            ]),
          ),
          pod('nofield', affinity([{ matchFields: [expression('metadata.name', 'In', 'nx')] }])),
          pod(
            'none',
            affinity([{ matchExpressions: [expression('size', 'Gt', '5'), expression('zone', 'In', 'east')] }]),
          ),
        ],
      },
      decided(10),
      look(),
      events,
    ],
  },
  {
    name: 'taints and tolerations',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...nodes(
        node('na', { taints: [{ key: 'team', value: 'blue', effect: 'NoSchedule' }] }),
        node('nb', { taints: [{ key: 'gpu', effect: 'NoExecute' }] }),
      ),
      {
        apply: [
          pod('none'),
          pod('blue', { tolerations: [{ key: 'team', operator: 'Equal', value: 'blue', effect: 'NoSchedule' }] }),
          pod('red', { tolerations: [{ key: 'team', operator: 'Equal', value: 'red', effect: 'NoSchedule' }] }),
          pod('gpu', { tolerations: [{ key: 'gpu', operator: 'Exists' }] }),
        ],
      },
      decided(4),
      look(),
      events,
    ],
  },
  {
    name: 'taints: preferred ones only repel',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...nodes(node('na', { taints: [{ key: 'k', value: 'v', effect: 'PreferNoSchedule' }] }), node('nb')),
      { apply: pod('p1') },
      decided(1),
      { patch: 'nodes/nb', body: { spec: { unschedulable: true } } },
      {
        until: 'tainted',
        get: 'nodes/nb',
        where: ({ spec }) => spec.taints?.some(({ key }: Answered) => key === 'node.kubernetes.io/unschedulable'),
      },
      { sleep: 0.5 },
      { apply: pod('p2') },
      decided(2),
      look(),
      { record: 'cordoned node', get: 'nodes/nb', pick: ['spec'] },
    ],
  },
  {
    name: 'resources: what does not fit',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...nodes(
        node('na', { cpu: '2', memory: '4Gi', pods: '1', more: { 'example.com/widget': '2' } }),
        node('nb', { cpu: '1', memory: '1Gi' }),
      ),
      { apply: asking('fits', { cpu: '1500m' }) },
      decided(1),
      {
        apply: [
          asking('cpu', { cpu: '3' }),
          asking('memory', { memory: '6Gi' }),
          asking('both', { cpu: '3', memory: '6Gi' }),
          asking('widget', { 'example.com/widget': '3' }),
          asking('unknown', { 'example.com/other': '1' }),
          asking('full', { cpu: '1100m' }),
          asking('second', { cpu: '500m' }),
        ],
      },
      decided(8),
      look(),
      events,
      { delete: 'pods/fits', body: { gracePeriodSeconds: 0 } },
      { until: 'room', get: 'pods/full', where: ({ spec }) => spec.nodeName },
      look('after a pod left'),
    ],
  },
  {
    name: 'resources: the emptier node wins',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...nodes(node('na'), node('nb')),
      { apply: asking('heavy', { cpu: '3', memory: '6Gi' }, { nodeName: 'na' }) },
      { sleep: 0.5 },
      { apply: asking('p1', { cpu: '100m', memory: '100Mi' }) },
      placed('p1'),
      { apply: asking('p2', { cpu: '100m', memory: '100Mi' }) },
      placed('p2'),
      look(),
      events,
    ],
  },
  {
    name: 'host ports',
    needs: 'scheduler',
    exclusive: true,
    steps: [
      ...nodes(node('na')),
      { apply: pod('first', { containers: [{ name: 'c', image, ports: [{ containerPort: 80, hostPort: 8080 }] }] }) },
      decided(1),
      {
        apply: [
          pod('same', { containers: [{ name: 'c', image, ports: [{ containerPort: 90, hostPort: 8080 }] }] }),
          pod('udp', {
            containers: [{ name: 'c', image, ports: [{ containerPort: 90, hostPort: 8080, protocol: 'UDP' }] }],
          }),
          pod('hostnet', { hostNetwork: true, containers: [{ name: 'c', image, ports: [{ containerPort: 8080 }] }] }),
        ],
      },
      decided(4),
      look(),
      events,
    ],
  },
]
