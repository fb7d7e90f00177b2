import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { Pod } from '../pod.js'
import type { PodTemplate } from '../pod-template.js'
import { qosClassOf } from './qos.js'
import { containerTotals } from './resources.js'

const pods = new KindHarness<Pod>('core/v1.Pod')
const templates = new KindHarness<PodTemplate>('core/v1.PodTemplate')
const app = { name: 'app', image: 'nginx:1' }
const spec = (given: object) => pods.decode({ spec: { containers: [app], ...given } }).spec

describe('defaults of a pod', () => {
  test('are set for absent fields', () =>
    assert.deepEqual(spec({}), {
      containers: [
        {
          ...app,
          resources: {},
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          imagePullPolicy: 'IfNotPresent',
        },
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
      enableServiceLinks: true,
    }))

  test('are not all set for templates', () => {
    const container = { ...app, ports: [{ containerPort: 80 }], resources: { limits: { cpu: '1' } } }
    const given = { containers: [container], hostNetwork: true, terminationGracePeriodSeconds: -1 }
    const template = templates.decode({ template: { spec: given } }).template.spec!
    assert.equal(template.enableServiceLinks, undefined)
    assert.equal(template.containers[0]!.ports![0]!.hostPort, undefined)
    assert.deepEqual(template.containers[0]!.resources, { limits: { cpu: '1' } })
    assert.equal(template.terminationGracePeriodSeconds, -1)
    const pod = spec(given)
    assert.equal(pod.containers[0]!.ports![0]!.hostPort, 80)
    assert.deepEqual(pod.containers[0]!.resources!.requests, { cpu: '1' })
    assert.equal(pod.terminationGracePeriodSeconds, 1)
  })

  test('keep serviceAccount and serviceAccountName equal', () => {
    const names = ({ serviceAccountName, serviceAccount }: Pod['spec']) => [serviceAccountName, serviceAccount]
    assert.deepEqual(names(spec({ serviceAccount: 'a' })), ['a', 'a'])
    assert.deepEqual(names(spec({ serviceAccountName: 'b' })), ['b', 'b'])
    assert.deepEqual(names(spec({ serviceAccountName: 'b', serviceAccount: 'a' })), ['b', 'b'])
  })

  test('remove outdated annotations', () => {
    const annotations = { 'pod.beta.kubernetes.io/init-containers': '[]', kept: 'x' }
    assert.deepEqual(
      pods.decode({ metadata: { name: 'p', annotations }, spec: { containers: [] } }).metadata.annotations,
      {
        kept: 'x',
      },
    )
  })
})

describe('pod-level requests', () => {
  const container = (name: string, requests: object, rest: object = {}) => ({
    name,
    image: 'i:1',
    resources: { requests },
    ...rest,
  })

  test('are the sum of the container requests, or else the limits', () =>
    assert.deepEqual(
      spec({
        containers: [container('a', { cpu: '1' }), container('b', { cpu: '500m', 'example.com/gpu': '1' })],
        resources: { limits: { cpu: '4', memory: '1Gi' } },
      }).resources,
      { limits: { cpu: '4', memory: '1Gi' }, requests: { cpu: '1500m', memory: '1Gi' } },
    ))

  test('use the maximum of init containers, and add sidecars to all containers after them', () => {
    const totals = containerTotals(
      spec({
        containers: [container('a', { cpu: '1' })],
        initContainers: [
          container('first', { cpu: '3' }),
          container('side', { cpu: '2', memory: '1' }, { restartPolicy: 'Always' }),
          container('second', { cpu: '1500m' }),
        ],
      }),
      'requests',
    )
    assert.deepEqual([...totals].map(([name, amount]) => `${name} ${amount}`).sort(), ['cpu 3500m', 'memory 1'])
  })
})

describe('the QoS class of a pod', () => {
  const sized = (requests: object, limits: object) => ({ ...app, resources: { requests, limits } })
  const full = { cpu: '1', memory: '1Gi' }
  const cases: [string, object, string][] = [
    ['asks for nothing', {}, 'BestEffort'],
    ['asks for storage only', { containers: [sized({ 'ephemeral-storage': '1Gi' }, {})] }, 'BestEffort'],
    ['asks for zero', { containers: [sized({ cpu: '0' }, {})] }, 'BestEffort'],
    ['has limits for everything', { containers: [sized({}, full)] }, 'Guaranteed'],
    ['has limits written otherwise', { containers: [sized({ cpu: '1', memory: '1024Mi' }, full)] }, 'Guaranteed'],
    ['asks for less than its limits', { containers: [sized({ cpu: '500m' }, full)] }, 'Burstable'],
    ['has no limit for memory', { containers: [sized({}, { cpu: '1' })] }, 'Burstable'],
    [
      'has an init container without limits',
      { containers: [sized({}, full)], initContainers: [{ ...app, name: 'i' }] },
      'Burstable',
    ],
    ['says it as a whole', { resources: { limits: full } }, 'Guaranteed'],
    ['asks as a whole', { containers: [sized({}, full)], resources: { requests: { cpu: '2' } } }, 'Burstable'],
  ]
  for (const [what, given, expected] of cases)
    test(`that ${what} is ${expected}`, () => assert.equal(qosClassOf(spec(given)), expected))
})
