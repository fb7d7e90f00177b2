import type { ClusterScenario, ResponseBody } from '../scenario.js'
import {
  deploymentManifest,
  podTemplate,
  untilCount,
  untilSettled,
  workloadImage,
  workloadNode,
  workloadPod,
} from './workload-manifests.js'

/** What is counted: endpoints, quotas, disruptions, metrics. */
export const servicesAndBudgets: readonly ClusterScenario[] = [
  {
    name: 'endpoints: ready, unready and terminating pods',
    needs: 'controllers',
    exclusive: true,
    steps: [
      { apply: workloadNode('na', { labels: { 'topology.kubernetes.io/zone': 'z1' } }) },
      {
        apply: {
          kind: 'Service',
          metadata: { name: 'svc', labels: { team: 'a' } },
          spec: {
            selector: { app: 'web' },
            ports: [
              { name: 'http', port: 80, targetPort: 'http' },
              { name: 'raw', port: 90, targetPort: 9090 },
            ],
          },
        },
      },
      { until: 'an empty slice', get: 'endpointslices', where: untilCount(1) },
      { record: 'no pods', get: ['endpointslices', 'endpoints'], pick: (object) => object },
      {
        apply: ['up', 'down', 'leaving'].map((name) =>
          workloadPod(
            name,
            { app: 'web', n: name },
            {
              nodeName: 'na',
              hostname: name,
              subdomain: 'svc',
              containers: [{ name: 'c', image: workloadImage, ports: [{ name: 'http', containerPort: 8080 }] }],
            },
          ),
        ),
      },
      { podStatus: 'n=up', ip: '10.9.0.1', count: 1 },
      { podStatus: 'n=down', ip: '10.9.0.2', ready: false, count: 1 },
      { podStatus: 'n=leaving', ip: '10.9.0.3', count: 1 },
      { until: 'three endpoints', get: 'endpointslices', where: (list) => list.items[0].endpoints?.length === 3 },
      { delete: 'pods/leaving' },
      {
        until: 'one terminating',
        get: 'endpointslices',
        where: (list) => list.items[0].endpoints.some(({ conditions }: ResponseBody) => conditions.terminating),
      },
      {
        record: 'slice',
        get: 'endpointslices',
        pick: (slice) => ({
          ...slice,
          metadata: {
            ...slice.metadata,
            generation: undefined,
            annotations: {
              ...slice.metadata.annotations,
              'endpoints.kubernetes.io/last-change-trigger-time': undefined,
            },
          },
          endpoints: slice.endpoints.sort((a: ResponseBody, b: ResponseBody) =>
            a.addresses[0] < b.addresses[0] ? -1 : 1,
          ),
        }),
      },
      {
        record: 'endpoints',
        get: 'endpoints',
        pick: (object) => ({
          ...object,
          metadata: {
            ...object.metadata,
            annotations: {
              ...object.metadata.annotations,
              'endpoints.kubernetes.io/last-change-trigger-time': undefined,
            },
          },
        }),
      },
      { record: 'tables', get: ['endpointslices', 'endpoints'], table: true },
    ],
  },
  {
    name: 'quota: status follows use',
    needs: 'controllers',
    steps: [
      {
        apply: {
          kind: 'ResourceQuota',
          metadata: { name: 'q' },
          spec: {
            hard: {
              pods: '3',
              'requests.cpu': '1',
              'limits.memory': '1Gi',
              configmaps: '5',
              'count/deployments.apps': '2',
              'services.nodeports': '1',
              services: '2',
            },
          },
        },
      },
      { until: 'counted', get: 'resourcequotas/q', where: ({ status }) => status.used },
      { record: 'at first', get: 'resourcequotas/q', pick: ['spec', 'status'] },
      {
        apply: [
          workloadPod(
            'p',
            {},
            {
              containers: [
                {
                  name: 'c',
                  image: workloadImage,
                  resources: { requests: { cpu: '250m' }, limits: { cpu: '250m', memory: '64Mi' } },
                },
              ],
            },
          ),
          { kind: 'ConfigMap', metadata: { name: 'x' } },
          { kind: 'Service', metadata: { name: 's' }, spec: { type: 'NodePort', ports: [{ port: 80 }] } },
        ],
      },
      { record: 'used', get: 'resourcequotas/q', pick: ['status'] },
      { delete: 'pods/p' },
      { delete: 'configmaps/x' },
      {
        until: 'released',
        get: 'resourcequotas/q',
        where: ({ status }) => status.used.pods === '0' && status.used.configmaps === '1',
      },
      { record: 'released', get: 'resourcequotas/q', pick: ['status'] },
      { record: 'table', get: 'resourcequotas', table: true },
    ],
  },
  {
    name: 'disruption budget: status',
    needs: 'controllers',
    steps: [
      {
        apply: [
          {
            kind: 'PodDisruptionBudget',
            metadata: { name: 'min' },
            spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
          },
          {
            kind: 'PodDisruptionBudget',
            metadata: { name: 'half' },
            spec: { maxUnavailable: '50%', selector: { matchLabels: { app: 'api' } } },
          },
          {
            kind: 'PodDisruptionBudget',
            metadata: { name: 'none' },
            spec: { minAvailable: 1, selector: { matchLabels: { app: 'nothing' } } },
          },
        ],
      },
      {
        until: 'seen',
        get: 'poddisruptionbudgets',
        where: (list) => list.items.every(({ status }: ResponseBody) => status.conditions),
      },
      { record: 'without pods', get: 'poddisruptionbudgets' },
      { apply: [deploymentManifest('web', 3), deploymentManifest('api', 3)] },
      { podStatus: '', count: 6 },
      untilSettled('web', 3),
      untilSettled('api', 3),
      {
        until: 'healthy',
        get: 'poddisruptionbudgets',
        where: (list) => list.items.filter(({ status }: ResponseBody) => status.currentHealthy === 3).length === 2,
      },
      { record: 'three healthy each', get: 'poddisruptionbudgets' },
      { record: 'table', get: 'poddisruptionbudgets', table: true },
      { record: 'events', events: ({ involvedObject }) => involvedObject.kind === 'PodDisruptionBudget' },
    ],
  },
  {
    name: 'autoscaler: no metrics',
    needs: 'controllers',
    steps: [
      {
        apply: [
          deploymentManifest('web', 2, {
            template: podTemplate('web', {
              containers: [{ name: 'c', image: workloadImage, resources: { requests: { cpu: '100m' } } }],
            }),
          }),
          {
            kind: 'HorizontalPodAutoscaler',
            metadata: { name: 'h' },
            spec: {
              minReplicas: 1,
              maxReplicas: 5,
              scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
              metrics: [
                {
                  type: 'Resource',
                  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
                },
              ],
            },
          },
          {
            kind: 'HorizontalPodAutoscaler',
            metadata: { name: 'lost' },
            spec: { maxReplicas: 5, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'nothing' } },
          },
        ],
      },
      { podStatus: 'app=web', count: 2 },
      untilSettled('web', 2),
      {
        until: 'conditions',
        get: 'horizontalpodautoscalers/h',
        where: ({ status }) =>
          status.conditions?.some(
            ({ type, reason }: ResponseBody) => type === 'ScalingActive' && reason === 'FailedGetResourceMetric',
          ),
        timeout: 60,
      },
      {
        until: 'conditions',
        get: 'horizontalpodautoscalers/lost',
        where: ({ status }) => status.conditions?.length,
        timeout: 60,
      },
      { record: 'status', get: 'horizontalpodautoscalers' },
      { record: 'table', get: 'horizontalpodautoscalers', table: true },
      { record: 'events', events: ({ involvedObject }) => involvedObject.kind === 'HorizontalPodAutoscaler' },
    ],
  },
]
