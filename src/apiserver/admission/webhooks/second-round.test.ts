import { deepStrictEqual as deepEqual, strictEqual as equal } from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type MemoryServer, testPod } from '../../registry/server.test.kit.js'
import { openWebhookServer, patching, startHook, webhook } from './webhooks.test.kit.js'

const optional = [
  'AlwaysPullImages',
  'ExtendedResourceToleration',
  'LimitPodHardAntiAffinityTopology',
  'NamespaceExists',
]
const core = '/api/v1/namespaces/default'

/** What plugins look at when they change others. */
const surroundings: readonly (readonly [string, object])[] = [
  [`${core}/serviceaccounts`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }],
  [
    `${core}/limitranges`,
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'l' },
      spec: { limits: [{ type: 'Container', default: { memory: '7Mi' } }] },
    },
  ],
  [
    '/apis/scheduling.k8s.io/v1/priorityclasses',
    {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'high' },
      value: 1000,
      globalDefault: true,
    },
  ],
  [
    '/apis/node.k8s.io/v1/runtimeclasses',
    {
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'heavy' },
      handler: 'heavy',
      overhead: { podFixed: { cpu: '1' } },
      scheduling: { nodeSelector: { heavy: 'yes' }, tolerations: [{ key: 'heavy', operator: 'Exists' }] },
    },
  ],
  [
    '/apis/storage.k8s.io/v1/storageclasses',
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 's', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'p',
    },
  ],
]

const samples: readonly (readonly [string, object])[] = [
  [
    `${core}/pods`,
    testPod('a', {
      runtimeClassName: 'heavy',
      containers: [
        { name: 'main', image: 'app:1', resources: { limits: { 'example.com/thing': '1' } } },
        { name: 'side', image: 'side:1' },
      ],
    }),
  ],
  ['/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }],
  [
    `${core}/persistentvolumeclaims`,
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'v' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ],
]

async function prepared(context: TestContext): Promise<Awaited<ReturnType<typeof openWebhookServer>>> {
  const server = await openWebhookServer(context, { admission: { enabled: optional, disabled: [] } })
  for (const [path, object] of surroundings) await created(server, path, object)
  return server
}

async function created(server: MemoryServer, path: string, object: object): Promise<object> {
  const { code, text } = await server.send('POST', path, object)
  equal(code, 201, text)
  return JSON.parse(text)
}

/** What is chosen anew each time, and what the webhook adds, left out. */
function comparable(object: object): unknown {
  return JSON.parse(JSON.stringify(object), (key, value) =>
    ['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'annotations', 'time'].includes(key)
      ? undefined
      : typeof value === 'string'
        ? value.replace(/kube-api-access-.*/, 'kube-api-access')
        : value,
  )
}

describe('Plugins that are asked a second time, because a webhook changed the object', () => {
  it('do not do a second time what they did', async (context) => {
    const hook = await startHook(context, ({ request: { object } }) => {
      const { annotations } = object.metadata as { annotations?: object }
      return patching({ op: 'add', path: '/metadata/annotations', value: { ...annotations, touched: 'yes' } })
    })
    const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['*'] }]
    const [alone, together] = [await prepared(context), await prepared(context)]
    await together.register('Mutating', 'c', webhook('touch.example.com', hook.url, { rules }))
    for (const [path, object] of samples)
      deepEqual(comparable(await created(together, path, object)), comparable(await created(alone, path, object)))
    equal(hook.reviews.length, samples.length)
  })
})
