import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  ApiException,
  AppsV1Api,
  BatchV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  NetworkingV1Api,
  PatchStrategy,
  RbacAuthorizationV1Api,
  setHeaderOptions,
  type V1Status,
  VersionApi,
  Watch,
} from '@kubernetes/client-node'
import { startTestApiServer, type TestApiServer } from '../servers/api-server.js'

describe('@kubernetes/client-node', () => {
  let server: TestApiServer
  let config: KubeConfig
  let core: CoreV1Api
  const namespace = 'default'
  before(async () => {
    server = await startTestApiServer()
    config = new KubeConfig()
    config.loadFromFile(server.kubeconfig)
    core = config.makeApiClient(CoreV1Api)
  })
  after(() => server.close())

  const configMap = (name: string, data: Record<string, string> = {}, labels: Record<string, string> = {}) =>
    core.createNamespacedConfigMap({ namespace, body: { metadata: { name, labels }, data } })

  test('creates, reads, replaces and deletes', async () => {
    const made = await configMap('whole', { a: '1' })
    assert.match(made.metadata?.uid ?? '', /^[0-9a-f-]{36}$/)
    assert.ok(made.metadata?.creationTimestamp instanceof Date)
    const read = await core.readNamespacedConfigMap({ namespace, name: 'whole' })
    assert.deepEqual(read, made)
    const replaced = await core.replaceNamespacedConfigMap({
      namespace,
      name: 'whole',
      body: { ...read, data: { b: '2' } },
    })
    assert.deepEqual(replaced.data, { b: '2' })
    const gone = await core.deleteNamespacedConfigMap({ namespace, name: 'whole' })
    assert.equal(gone.status, 'Success')
    await refuses(() => core.readNamespacedConfigMap({ namespace, name: 'whole' }), 404, 'NotFound')
  })

  test('patches in all four ways', async () => {
    await configMap('patched', { a: '1' })
    const patch = (strategy: PatchStrategy, body: object, more: { fieldManager?: string; force?: boolean } = {}) =>
      core.patchNamespacedConfigMap(
        { namespace, name: 'patched', body, ...more },
        setHeaderOptions('Content-Type', strategy),
      )
    await patch(PatchStrategy.MergePatch, { data: { b: '2' } })
    await patch(PatchStrategy.StrategicMergePatch, { data: { c: '3' } })
    await patch(PatchStrategy.JsonPatch, [{ op: 'remove', path: '/data/a' }])
    const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'patched' }, data: { d: '4' } }
    const { data, metadata } = await patch(PatchStrategy.ServerSideApply, applied, { fieldManager: 'tester' })
    assert.deepEqual(data, { b: '2', c: '3', d: '4' })
    assert.equal(metadata?.managedFields?.find(({ manager }) => manager === 'tester')?.operation, 'Apply')
  })

  test('says what went wrong, by code and status', async () => {
    await configMap('refused')
    await refuses(() => configMap('refused'), 409, 'AlreadyExists')
    const { details } = await refuses(() => configMap('Not Valid'), 422, 'Invalid')
    assert.equal(details?.causes?.[0]?.field, 'metadata.name')
    const stale = { metadata: { name: 'refused', resourceVersion: '1' } }
    await refuses(() => core.replaceNamespacedConfigMap({ namespace, name: 'refused', body: stale }), 409, 'Conflict')
    const stranger = new KubeConfig()
    const cluster = { name: 'here', server: server.url, caData: btoa(server.authority), skipTLSVerify: false }
    stranger.loadFromClusterAndUser(cluster, { name: 'stranger', token: 'wrong' })
    const { code } = await refusal(() => stranger.makeApiClient(CoreV1Api).listNamespace())
    assert.equal(code, 401)
  })

  test('lists by selectors and in pages', async () => {
    for (const [name, tier] of [
      ['list-a', 'x'],
      ['list-b', 'y'],
      ['list-c', 'x'],
    ] as const)
      await configMap(name, {}, { tier })
    const names = async (more: object) =>
      (await core.listNamespacedConfigMap({ namespace, ...more })).items.map(({ metadata }) => metadata?.name)
    assert.deepEqual(await names({ labelSelector: 'tier=x' }), ['list-a', 'list-c'])
    assert.deepEqual(await names({ fieldSelector: 'metadata.name=list-b' }), ['list-b'])
    const pages: unknown[] = []
    let next: string | undefined
    do {
      const { items, metadata } = await core.listNamespacedConfigMap({
        namespace,
        labelSelector: 'tier',
        limit: 2,
        ...(next && { _continue: next }),
      })
      pages.push(items.map((item) => item.metadata?.name))
      next = metadata?._continue
    } while (next)
    assert.deepEqual(pages, [['list-a', 'list-b'], ['list-c']])
  })

  test('speaks to the other groups', async () => {
    const labels = { app: 'web' }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx' }] } }
    const apps = config.makeApiClient(AppsV1Api)
    const deployment = { metadata: { name: 'web' }, spec: { selector: { matchLabels: labels }, template } }
    const made = await apps.createNamespacedDeployment({ namespace, body: deployment })
    assert.equal(made.spec?.strategy?.rollingUpdate?.maxSurge, '25%')
    const scale = await apps.readNamespacedDeploymentScale({ namespace, name: 'web' })
    scale.spec = { replicas: 4 }
    await apps.replaceNamespacedDeploymentScale({ namespace, name: 'web', body: scale })
    assert.equal((await apps.readNamespacedDeployment({ namespace, name: 'web' })).spec?.replicas, 4)
    const job = {
      metadata: { name: 'once' },
      spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } },
    }
    const { spec } = await config.makeApiClient(BatchV1Api).createNamespacedJob({ namespace, body: job })
    assert.equal(spec?.completions, 1)
    const backend = { service: { name: 'web', port: { number: 80 } } }
    const ingress = await config
      .makeApiClient(NetworkingV1Api)
      .createNamespacedIngress({ namespace, body: { metadata: { name: 'web' }, spec: { defaultBackend: backend } } })
    assert.equal(ingress.spec?.defaultBackend?.service?.port?.number, 80)
    const role = { metadata: { name: 'reader' }, rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }
    const { rules } = await config.makeApiClient(RbacAuthorizationV1Api).createNamespacedRole({ namespace, body: role })
    assert.deepEqual(rules?.[0]?.verbs, ['get'])
    assert.equal((await config.makeApiClient(VersionApi).getCode()).minor, '36')
    assert.match(
      (
        await core.createNamespacedService({
          namespace,
          body: { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } },
        })
      ).spec?.clusterIP ?? '',
      /^10\.96\./,
    )
  })

  test('speaks of objects without knowing their types', async () => {
    const objects = KubernetesObjectApi.makeApiClient(config)
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'untyped', namespace }, data: { a: '1' } }
    await objects.create(object)
    const applied = { ...object, data: { a: '2' } }
    await objects.patch(applied, undefined, undefined, 'tester', true, PatchStrategy.ServerSideApply)
    const read = (await objects.read({ ...object })) as unknown as typeof object
    assert.deepEqual(read.data, { a: '2' })
    const custom = config.makeApiClient(CustomObjectsApi)
    const list = (await custom.listNamespacedCustomObject({
      group: 'apps',
      version: 'v1',
      namespace,
      plural: 'statefulsets',
    })) as { kind: string }
    assert.equal(list.kind, 'StatefulSetList')
    await objects.delete(object)
    await refuses(() => objects.read(object), 404, 'NotFound')
  })

  test('watches from a revision on', async () => {
    const { metadata } = await core.listNamespacedConfigMap({ namespace })
    await configMap('seen', {}, { watch: 'me' })
    await configMap('unseen')
    const events: string[] = []
    const seen = withResolvers()
    const query = { resourceVersion: metadata?.resourceVersion ?? '', labelSelector: 'watch=me' }
    const watching = await new Watch(config).watch(
      `/api/v1/namespaces/${namespace}/configmaps`,
      query,
      (phase: string, object: { metadata: { name: string } }) => {
        events.push(`${phase} ${object.metadata.name}`)
        if (phase === 'DELETED') seen.resolve()
      },
      () => {},
    )
    await core.deleteNamespacedConfigMap({ namespace, name: 'seen' })
    await seen.promise
    watching.abort()
    assert.deepEqual(events, ['ADDED seen', 'DELETED seen'])
  })
})

/** The status that the server refuses with. */
async function refuses(call: () => Promise<unknown>, code: number, reason: string): Promise<V1Status> {
  const error = await refusal(call)
  const status = (typeof error.body === 'string' ? JSON.parse(error.body) : error.body) as V1Status
  assert.deepEqual([error.code, status.reason, status.status], [code, reason, 'Failure'])
  return status
}

async function refusal(call: () => Promise<unknown>): Promise<ApiException<unknown>> {
  const error: unknown = await call().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ApiException, `it was not refused: ${error}`)
  return error
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
