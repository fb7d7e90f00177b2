import { deepStrictEqual as deepEqual, strictEqual as equal, match, ok } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testPod } from '../../registry/server.test.kit.js'
import {
  answerTo,
  configMaps,
  openWebhookServer,
  patching,
  type Respond,
  refusalIn,
  startHook,
  type TestObject,
  webhook,
} from './webhooks.test.kit.js'

const label = (key: string, value: string) => ({ op: 'add', path: `/metadata/labels/${key}`, value })
const labels = (value: object) => ({ op: 'add', path: '/metadata/labels', value })
const pods = { rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }] }
const podsPath = '/api/v1/namespaces/default/pods'

function labelsOf({ metadata }: { readonly metadata: { readonly labels?: object } }): object {
  return metadata.labels ?? {}
}

describe('Mutating webhooks', () => {
  it('change the object one after the other, by the names of their configurations and then in their order', async (context) => {
    const seen: object[] = []
    const adding =
      (key: string): Respond =>
      ({ request: { object } }) => {
        seen.push(labelsOf(object))
        return patching('labels' in object.metadata ? label(key, 'x') : labels({ [key]: 'x' }))
      }
    const server = await openWebhookServer(context)
    const [one, two, three] = await Promise.all(['one', 'two', 'three'].map((key) => startHook(context, adding(key))))
    await server.register('Mutating', 'b', webhook('three.example.com', three!.url))
    await server.register('Mutating', 'a', webhook('z.example.com', one!.url), webhook('a.example.com', two!.url))
    const { code, body } = await server.create('a')
    equal(code, 201)
    deepEqual(labelsOf(body as unknown as TestObject), { one: 'x', three: 'x', two: 'x' })
    deepEqual(seen, [{}, { one: 'x' }, { one: 'x', two: 'x' }])
  })

  it('may leave out what has a default: it is set again', async (context) => {
    const hook = await startHook(context, () =>
      patching(
        { op: 'remove', path: '/spec/restartPolicy' },
        { op: 'add', path: '/spec/containers/-', value: { name: 'side', image: 'side:2' } },
      ),
    )
    const server = await openWebhookServer(context)
    await server.register('Mutating', 'c', webhook('side.example.com', hook.url, pods))
    const { code, body } = await server.send('POST', podsPath, testPod('a'))
    equal(code, 201)
    const { spec } = body as unknown as { spec: { restartPolicy: string; containers: Record<string, unknown>[] } }
    equal(spec.restartPolicy, 'Always')
    equal(spec.containers[1]?.imagePullPolicy, 'IfNotPresent')
    equal(spec.containers[1]?.terminationMessagePath, '/dev/termination-log')
  })

  it('are followed by the plugins once more, which see what was added', async (context) => {
    const server = await openWebhookServer(context)
    const limits = { type: 'Container', default: { memory: '7Mi' } }
    await server.send('POST', '/api/v1/namespaces/default/limitranges', {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'l' },
      spec: { limits: [limits] },
    })
    const container = { op: 'add', path: '/spec/containers/-', value: { name: 'side', image: 'side:2' } }
    const hook = await startHook(context, () => patching(container))
    await server.register('Mutating', 'c', webhook('side.example.com', hook.url, pods))
    const { code, body } = await server.send('POST', podsPath, testPod('a'))
    equal(code, 201)
    const { spec } = body as unknown as { spec: { containers: { resources: object }[] } }
    deepEqual(spec.containers[1]?.resources, { limits: { memory: '7Mi' }, requests: { memory: '7Mi' } })
    equal(hook.reviews.length, 1, 'who does not want to be asked again is not')
  })

  it('are asked again, once, if they want to and somebody changed the object after them', async (context) => {
    const server = await openWebhookServer(context)
    const first = await startHook(context, () => ({ allowed: true }))
    const unwilling = await startHook(context, () => ({ allowed: true }))
    let count = 0
    const last = await startHook(context, () => patching(labels({ count: String(++count) })))
    const willing = { reinvocationPolicy: 'IfNeeded' }
    await server.register(
      'Mutating',
      'c',
      webhook('first.example.com', first.url, willing),
      webhook('unwilling.example.com', unwilling.url),
      webhook('last.example.com', last.url, willing),
    )
    const { body } = await server.create('a')
    deepEqual(labelsOf(body as unknown as TestObject), { count: '1' })
    deepEqual(
      [first, unwilling, last].map(({ reviews }) => reviews.length),
      [2, 1, 1],
    )
    deepEqual(labelsOf(first.reviews[1]!.request.object), { count: '1' })
  })

  it('are asked again if a plugin changed the object after them', async (context) => {
    const server = await openWebhookServer(context)
    await server.send('POST', '/api/v1/namespaces/default/limitranges', {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'l' },
      spec: { limits: [{ type: 'Container', default: { memory: '7Mi' } }] },
    })
    const hook = await startHook(context, ({ request: { object } }) => {
      const { containers } = (object as unknown as { spec: { containers: object[] } }).spec
      const side = { op: 'add', path: '/spec/containers/-', value: { name: 'side', image: 'side:2' } }
      return containers.length === 1 ? patching(side) : { allowed: true }
    })
    await server.register(
      'Mutating',
      'c',
      webhook('side.example.com', hook.url, { ...pods, reinvocationPolicy: 'IfNeeded' }),
    )
    equal((await server.send('POST', podsPath, testPod('a'))).code, 201)
    equal(hook.reviews.length, 2)
    const { spec } = hook.reviews[1]!.request.object as unknown as { spec: { containers: { resources: object }[] } }
    ok('limits' in spec.containers[1]!.resources, 'it sees what the plugin did')
  })

  it('change nothing by a patch that comes to nothing, and nobody is asked again', async (context) => {
    const server = await openWebhookServer(context)
    const first = await startHook(context, () => ({ allowed: true }))
    const idle = await startHook(context, () => patching({ op: 'test', path: '/metadata/name', value: 'a' }))
    const willing = { reinvocationPolicy: 'IfNeeded' }
    await server.register(
      'Mutating',
      'c',
      webhook('first.example.com', first.url, willing),
      webhook('idle.example.com', idle.url),
    )
    equal((await server.create('a')).code, 201)
    equal(first.reviews.length, 1)
  })

  it('whose patch cannot be read are said to have failed', async (context) => {
    const answers: readonly (readonly [object, RegExp])[] = [
      [
        { patchType: 'JSONPatch', patch: Buffer.from('{"op":"add"}').toString('base64') },
        /failed calling webhook "x\.example\.com": received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch\.Patch$/,
      ],
      [
        { patchType: 'JSONPatch', patch: Buffer.from('[{').toString('base64') },
        /received undecodable patch in webhook response: unexpected end of JSON input$/,
      ],
      [
        { patch: 'W10=' },
        /received invalid webhook response: webhook returned response\.patch but not response\.patchType$/,
      ],
      [
        { patchType: 'JSONPatch' },
        /received invalid webhook response: webhook returned response\.patchType but not response\.patch$/,
      ],
      [
        { ...patching(labels({})), patchType: 'Merge' },
        /failed calling webhook "x\.example\.com": unsupported patch type "Merge"$/,
      ],
    ]
    for (const [answer, message] of answers) {
      const hook = await startHook(context, () => ({ allowed: true, ...answer }))
      const server = await openWebhookServer(context)
      await server.register('Mutating', 'c', webhook('x.example.com', hook.url))
      const { code, body } = await server.create('a')
      equal(code, 500)
      match(String(body.message), message)
    }
  })

  it('whose patch does not fit, or spoils the object, end the request, whatever their failures mean', async (context) => {
    const patches: readonly (readonly [object, RegExp])[] = [
      [{ op: 'remove', path: '/nothing' }, /^Internal error occurred: .*Unable to remove nonexistent key: nothing/],
      [
        { op: 'add', path: '/data', value: 7 },
        /^Internal error occurred: .*cannot unmarshal number into Go struct field ConfigMap\.data/,
      ],
      [{ op: 'replace', path: '/kind', value: 'Secret' }, /no ConfigMap of v1 any more/],
    ]
    for (const [operation, message] of patches) {
      const hook = await startHook(context, () => patching(operation))
      const server = await openWebhookServer(context)
      await server.register('Mutating', 'c', webhook('x.example.com', hook.url, { failurePolicy: 'Ignore' }))
      const { code, body } = await server.create('a')
      equal(code, 500)
      match(String(body.message), message)
    }
  })

  it('cannot get an object past the rules of its kind, or into another namespace', async (context) => {
    let operation: object = { op: 'add', path: '/data', value: { 'not a key': 'x' } }
    const hook = await startHook(context, () => patching(operation))
    const server = await openWebhookServer(context)
    await server.register('Mutating', 'c', webhook('x.example.com', hook.url))
    equal((await server.create('a')).code, 422)
    operation = { op: 'replace', path: '/metadata/namespace', value: 'kube-system' }
    const { code, body } = await server.create('a')
    equal(code, 400)
    equal(body.message, 'the namespace of the provided object does not match the namespace sent on the request')
  })

  it('cannot change what is being deleted', async (context) => {
    const server = await openWebhookServer(context)
    const hook = await startHook(context, () => patching(labels({ a: 'b' })))
    await server.create('a')
    await server.register('Mutating', 'c', webhook('x.example.com', hook.url))
    const reply = await server.send('DELETE', `${configMaps}/a`)
    equal(reply.code, 500)
    equal(
      reply.body.message,
      'Internal error occurred: admission webhook "x.example.com" attempted to modify the object, which is not supported for this operation',
    )
  })

  it('may speak the old version, in which less is checked', async (context) => {
    const hook = await startHook(context, (review, { outgoing }) => {
      const { patch } = patching(labels({ a: 'b' })) as { patch: string }
      outgoing.end(answerTo(review, { uid: 'whatever', allowed: true, patch }))
      return undefined
    })
    const server = await openWebhookServer(context)
    const versions = { admissionReviewVersions: ['v7', 'v1beta1', 'v1'] }
    await server.register('Mutating', 'c', webhook('x.example.com', hook.url, versions))
    const { code, body } = await server.create('a')
    equal(code, 201)
    deepEqual(labelsOf(body as unknown as TestObject), { a: 'b' })
    equal(hook.reviews[0]?.apiVersion, 'admission.k8s.io/v1beta1')
  })

  it('that spoil the owners of fields leave these as they were, and the client is told', async (context) => {
    const spoiled = [{ manager: 'm', operation: 'Nonsense', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }]
    const hook = await startHook(context, () =>
      patching({ op: 'replace', path: '/metadata/managedFields', value: spoiled }, labels({ a: 'b' })),
    )
    const server = await openWebhookServer(context)
    await server.register('Mutating', 'c', webhook('x.example.com', hook.url))
    const { code, body, headers } = await server.create('a', { data: { k: 'v' } })
    equal(code, 201)
    const { metadata } = body as unknown as { metadata: { managedFields: { operation: string }[] } }
    deepEqual(
      metadata.managedFields.map(({ operation }) => operation),
      ['Update'],
    )
    match(headers.join(), /managedFields was in an invalid state after admission; this could be caused by an outdated/)
  })

  it('change what a scale says, and with it what is scaled', async (context) => {
    const server = await openWebhookServer(context)
    const path = '/apis/apps/v1/namespaces/default/deployments'
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
    await server.send('POST', path, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { replicas: 1, selector: { matchLabels: { a: 'b' } }, template },
    })
    const hook = await startHook(context, () => patching({ op: 'replace', path: '/spec/replicas', value: 2 }))
    const rules = [
      { operations: ['UPDATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments/scale'] },
    ]
    await server.register('Mutating', 'c', webhook('x.example.com', hook.url, { rules }))
    const { code, body } = await server.send('PATCH', `${path}/d/scale`, { spec: { replicas: 9 } })
    deepEqual([code, (body as unknown as { spec: object }).spec], [200, { replicas: 2 }])
    const { request } = hook.reviews[0]!
    deepEqual(request.kind, { group: 'autoscaling', version: 'v1', kind: 'Scale' })
    deepEqual(request.resource, { group: 'apps', version: 'v1', resource: 'deployments' })
    equal(request.subResource, 'scale')
    deepEqual([request.object.spec, request.oldObject?.spec], [{ replicas: 9 }, { replicas: 1 }])
    const { body: parent } = await server.send('GET', `${path}/d`)
    equal((parent as unknown as { spec: { replicas: number } }).spec.replicas, 2)
  })

  it('refuse with what they say', async (context) => {
    const hook = await startHook(context, () => ({ allowed: false, status: { message: 'never', code: 418 } }))
    const server = await openWebhookServer(context)
    await server.register('Mutating', 'c', webhook('x.example.com', hook.url))
    const message = 'admission webhook "x.example.com" denied the request: never'
    deepEqual(refusalIn(await server.create('a')), { code: 418, message })
  })
})
