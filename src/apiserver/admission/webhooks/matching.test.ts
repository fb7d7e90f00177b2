import { deepStrictEqual as deepEqual, strictEqual as equal } from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { testPod } from '../../registry/server.test.kit.js'
import { configMaps, type Hook, openWebhookServer, patching, startHook, webhook, yes } from './webhooks.test.kit.js'

const name = 'check.example.com'

/** A server with one validating webhook that says yes and remembers. */
async function watched(context: TestContext, more: object) {
  const hook = await startHook(context, yes)
  const server = await openWebhookServer(context)
  await server.register('Validating', 'c', webhook(name, hook.url, more))
  return { server, hook }
}

function rule(resource: string, more: object = {}): object {
  return { rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: [resource], ...more }] }
}

function seen({ reviews }: Hook): readonly string[] {
  return reviews.map(({ request }) => [request.operation, request.name, request.subResource].filter(Boolean).join(' '))
}

const object = (more: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...more })

describe('Webhooks are asked', () => {
  it('about labelled objects, before or after the change', async (context) => {
    const { server, hook } = await watched(context, { objectSelector: { matchLabels: { watched: 'yes' } } })
    await server.create('a')
    await server.create('b', { metadata: { labels: { watched: 'yes' } } })
    await server.send('PATCH', `${configMaps}/a`, { metadata: { labels: { watched: 'yes' } } })
    await server.send('PATCH', `${configMaps}/a`, { metadata: { labels: null } })
    await server.send('PATCH', `${configMaps}/a`, { data: { a: 'b' } })
    await server.send('DELETE', `${configMaps}/a`)
    await server.send('DELETE', `${configMaps}/b`)
    deepEqual(seen(hook), ['CREATE b', 'UPDATE a', 'UPDATE a', 'DELETE b'])
  })

  it('about what happens in labelled namespaces, to these themselves, and outside of all of them', async (context) => {
    const rules = rule('*', { resources: ['configmaps', 'namespaces', 'nodes'] })
    const { server, hook } = await watched(context, {
      ...rules,
      namespaceSelector: { matchLabels: { watched: 'yes' } },
    })
    const namespace = (one: string, labels: object) =>
      server.send('POST', '/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: one, labels },
      })
    await namespace('plain', {})
    await namespace('marked', { watched: 'yes' })
    await server.send('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } })
    for (const one of ['plain', 'marked'])
      await server.send('POST', `/api/v1/namespaces/${one}/configmaps`, object({ metadata: { name: `in-${one}` } }))
    await server.send('PATCH', '/api/v1/namespaces/plain', { metadata: { labels: { watched: 'yes' } } })
    await server.send('DELETE', '/api/v1/namespaces/plain')
    deepEqual(seen(hook), ['CREATE marked', 'CREATE n', 'CREATE in-marked', 'UPDATE plain', 'DELETE plain'])
    deepEqual(
      hook.reviews.map(({ request }) => request.namespace),
      ['marked', undefined, 'marked', 'plain', 'plain'],
    )
  })

  it('about every object that is deleted with a collection', async (context) => {
    const { server, hook } = await watched(context, rule('configmaps', { operations: ['DELETE'] }))
    for (const one of ['a', 'b', 'c'])
      await server.create(one, { metadata: { labels: { l: one === 'b' ? '1' : '2' } } })
    await server.send('DELETE', `${configMaps}?labelSelector=l%3D2`)
    deepEqual([...seen(hook)].sort(), ['DELETE a', 'DELETE c'])
    const { request } = hook.reviews[0]!
    deepEqual([request.object, request.oldObject?.kind], [null, 'ConfigMap'])
  })

  it('about subresources, each in its own kind', async (context) => {
    const { server, hook } = await watched(context, rule('pods/*', { operations: ['CREATE', 'UPDATE', 'DELETE'] }))
    const path = '/api/v1/namespaces/default/pods'
    await server.send('POST', path, testPod('a'))
    await server.send('PATCH', `${path}/a/status`, { status: { message: 'fine' } })
    const target = { apiVersion: 'v1', kind: 'Node', name: 'n' }
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'a' }, target }
    equal((await server.send('POST', `${path}/a/binding`, binding)).code, 201)
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } }
    equal((await server.send('POST', `${path}/a/eviction`, eviction)).code, 201)
    deepEqual(seen(hook), ['CREATE a', 'UPDATE a status', 'CREATE a binding', 'CREATE a eviction'])
    deepEqual(
      hook.reviews.map(({ request }) => request.kind),
      [
        { group: '', version: 'v1', kind: 'Pod' },
        { group: '', version: 'v1', kind: 'Pod' },
        { group: '', version: 'v1', kind: 'Binding' },
        { group: 'policy', version: 'v1', kind: 'Eviction' },
      ],
    )
    deepEqual(hook.reviews[2]!.request.object.target, target)
  })

  it('about connections, and told what is wanted of them', async (context) => {
    const { server, hook } = await watched(context, rule('*/*', { operations: ['CONNECT'] }))
    const path = '/api/v1/namespaces/default/pods'
    await server.send('POST', path, testPod('a'))
    await server.send('POST', `${path}/a/exec?command=ls&command=-l&stdout=true&stdin=false&container=main`)
    await server.send('GET', `${path}/a/portforward?ports=80`)
    await server.send('GET', '/api/v1/nodes/n/proxy/some/path')
    deepEqual(
      hook.reviews.map(({ request: { kind, resource, subResource, object: options } }) => [
        kind,
        resource,
        subResource,
        options,
      ]),
      [
        [
          { group: '', version: 'v1', kind: 'PodExecOptions' },
          { group: '', version: 'v1', resource: 'pods' },
          'exec',
          { kind: 'PodExecOptions', apiVersion: 'v1', command: ['ls', '-l'], container: 'main', stdout: true },
        ],
        [
          { group: '', version: 'v1', kind: 'PodPortForwardOptions' },
          { group: '', version: 'v1', resource: 'pods' },
          'portforward',
          { kind: 'PodPortForwardOptions', apiVersion: 'v1', ports: [80] },
        ],
        [
          { group: '', version: 'v1', kind: 'NodeProxyOptions' },
          { group: '', version: 'v1', resource: 'nodes' },
          'proxy',
          { kind: 'NodeProxyOptions', apiVersion: 'v1', path: '/some/path' },
        ],
      ],
    )
    const { options, oldObject } = hook.reviews[0]!.request
    deepEqual([options, oldObject], [null, null])
  })

  it('about the same object in another version, if they know only that one, and see and change it in that', async (context) => {
    const server = await openWebhookServer(context)
    const change = { op: 'add', path: '/spec/targetCPUUtilizationPercentage', value: 42 }
    const hook = await startHook(context, () => patching(change))
    const rules = rule('horizontalpodautoscalers', { apiGroups: ['autoscaling'], apiVersions: ['v1'] })
    await server.register('Mutating', 'c', webhook(name, hook.url, rules))
    const { code, body } = await server.send('POST', autoscalers('v2'), autoscaler('v2'))
    equal(code, 201)
    const { request } = hook.reviews[0]!
    deepEqual(
      [request.kind, request.requestKind, request.resource, request.requestResource].map(
        (one) => (one as { version: string }).version,
      ),
      ['v1', 'v2', 'v1', 'v2'],
    )
    equal(request.object.apiVersion, 'autoscaling/v1')
    deepEqual((body as unknown as { spec: { metrics: object } }).spec.metrics, [
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 42 } } },
    ])
  })

  it('about nothing but what their rules name, if they want it exactly', async (context) => {
    const rules = rule('horizontalpodautoscalers', { apiGroups: ['autoscaling'], apiVersions: ['v1'] })
    const { server, hook } = await watched(context, { ...rules, matchPolicy: 'Exact' })
    equal((await server.send('POST', autoscalers('v2'), autoscaler('v2'))).code, 201)
    equal(hook.reviews.length, 0)
    equal((await server.send('PATCH', `${autoscalers('v1')}/a`, { metadata: { labels: { a: 'b' } } })).code, 200)
    equal(hook.reviews.length, 1)
  })

  it('never about themselves, so that one can get rid of them', async (context) => {
    const hook = await startHook(context, () => ({ allowed: false }))
    const server = await openWebhookServer(context)
    await server.register('Validating', 'c', webhook(name, hook.url, rule('*/*')))
    await server.register('Mutating', 'c', webhook(name, hook.url, rule('*/*')))
    equal((await server.create('a')).code, 400)
    for (const type of ['validating', 'mutating'])
      equal(
        (await server.send('DELETE', `/apis/admissionregistration.k8s.io/v1/${type}webhookconfigurations/c`)).code,
        200,
      )
    equal((await server.create('a')).code, 201)
    equal(hook.reviews.length, 1)
  })

  it('not at all under conditions that nobody can evaluate: then their failure policy holds', async (context) => {
    const matchConditions = [{ name: 'c', expression: 'true' }]
    const strict = await watched(context, { matchConditions })
    const { code, body } = await strict.server.create('a')
    equal(code, 403)
    equal(
      body.message,
      `configmaps "a" is forbidden: the match conditions of admission webhook "${name}" cannot be evaluated: this server does not support CEL yet`,
    )
    const lenient = await watched(context, { matchConditions, failurePolicy: 'Ignore' })
    equal((await lenient.server.create('a')).code, 201)
    equal(lenient.hook.reviews.length, 0)
  })

  it('in full', async (context) => {
    const { server, hook } = await watched(context, {})
    await server.send(
      'POST',
      `${configMaps}?fieldManager=me&fieldValidation=Strict`,
      object({ metadata: { name: 'a' } }),
    )
    await server.send('PUT', `${configMaps}/a?fieldManager=me`, object({ metadata: { name: 'a' }, data: { k: 'v' } }))
    await server.send('DELETE', `${configMaps}/a`, { gracePeriodSeconds: 0 })
    const [created, updated, deleted] = hook.reviews.map(({ request }) => request)
    const { uid, object: shown, ...rest } = created!
    equal(uid.length, 36)
    const resource = { group: '', version: 'v1', resource: 'configmaps' }
    const kind = { group: '', version: 'v1', kind: 'ConfigMap' }
    deepEqual(rest, {
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name: 'a',
      namespace: 'default',
      operation: 'CREATE',
      userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'me', fieldValidation: 'Strict' },
    })
    deepEqual([shown.kind, shown.apiVersion, shown.metadata.name], ['ConfigMap', 'v1', 'a'])
    deepEqual([updated!.object.data, updated!.oldObject?.data], [{ k: 'v' }, undefined])
    deepEqual(updated!.options, { kind: 'UpdateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'me' })
    deepEqual([deleted!.object, deleted!.oldObject?.data], [null, { k: 'v' }])
    deepEqual(deleted!.options, { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', gracePeriodSeconds: 0 })
    deepEqual(Object.keys(hook.reviews[0]!), ['kind', 'apiVersion', 'request'])
  })
})

function autoscalers(version: string): string {
  return `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`
}

function autoscaler(version: string): object {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }
  const spec = { scaleTargetRef, maxReplicas: 3 }
  return { apiVersion: `autoscaling/${version}`, kind: 'HorizontalPodAutoscaler', metadata: { name: 'a' }, spec }
}
