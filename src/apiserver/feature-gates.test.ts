import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { InitializerConfiguration } from '../api/admissionregistration/v1alpha1/initializer-configuration.js'
import { ConfigMap } from '../api/core/v1/config-map.js'
import { hasReason } from '../api/errors.js'
import { startTestApiServer } from '../testing/servers/api-server.js'
import { inProcessClient } from '../testing/servers/clients.js'
import { startInitializingServer } from '../testing/servers/initializing-server.js'

const groupPath = '/apis/admissionregistration.k8s.io'

async function document(client: ReturnType<typeof inProcessClient>, path: string): Promise<string> {
  return Buffer.from((await client.raw(path)).bytes).toString()
}

describe('a feature that is off', () => {
  test('leaves no trace: no field, no resource, no version, no word in the documents', async () => {
    await using server = await startTestApiServer()
    const warnings: string[] = []
    const client = inProcessClient(server, { warn: (warning) => warnings.push(warning) })
    const maps = client.resource(ConfigMap).in('default')
    const given = { metadata: { name: 'a', initializers: { pending: [{ name: 'a.x.y' }] } } }
    const made = await maps.create(given)
    assert.equal('initializers' in made.metadata, false)
    assert.deepEqual(warnings, ['unknown field "metadata.initializers"'])
    const strict = maps.create({ ...given, metadata: { ...given.metadata, name: 'b' } }, { fieldValidation: 'Strict' })
    await assert.rejects(strict, /strict decoding error: unknown field "metadata.initializers"/)
    assert.deepEqual(await maps.get('a', { includeUninitialized: true }), await maps.get('a'))
    const missing = client.resource(InitializerConfiguration).list()
    await assert.rejects(missing, (error) => hasReason(error, 'NotFound'))
    const { versions } = JSON.parse(await document(client, groupPath))
    assert.deepEqual(versions, [{ groupVersion: 'admissionregistration.k8s.io/v1', version: 'v1' }])
    await assert.rejects(client.raw(`${groupPath}/v1alpha1`), (error) => hasReason(error, 'NotFound'))
    for (const path of ['/openapi/v2', '/openapi/v3/api/v1', '/openapi/v3', '/apis'])
      assert.doesNotMatch(await document(client, path), /nitializer/, path)
  })

  test('is not asked for by half: its admission plugin alone is rejected', async () => {
    const admission = { enabled: ['Initializers'], disabled: [] }
    await assert.rejects(startTestApiServer({ options: { admission } }), {
      message: 'the admission plugin Initializers needs a feature that is off: --feature-gates=Initializers=true',
    })
  })

  test('must be one that there is', async () => {
    await assert.rejects(startTestApiServer({ options: { featureGates: { Kites: true } } }), {
      message: 'unrecognized feature gate: Kites',
    })
  })
})

describe('a feature that is on', () => {
  test('is served and documented like all else', async () => {
    await using it = await startInitializingServer()
    await it.configure('c', 'pods', 'a.x.y')
    const { items } = await it.admin.resource(InitializerConfiguration).list()
    assert.deepEqual(items[0]?.initializers, [
      { name: 'a.x.y', rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }] },
    ])
    assert.equal(items[0]?.metadata.generation, 1)
    const { versions } = JSON.parse(await document(it.admin, groupPath))
    assert.deepEqual(
      versions.map(({ version }: { version: string }) => version),
      ['v1', 'v1alpha1'],
    )
    const { resources } = JSON.parse(await document(it.admin, `${groupPath}/v1alpha1`))
    assert.deepEqual(
      resources.map(({ name }: { name: string }) => name),
      ['initializerconfigurations'],
    )
    assert.match(await document(it.admin, '/openapi/v3/api/v1'), /io.k8s.apimachinery.pkg.apis.meta.v1.Initializers/)
    assert.match(await document(it.admin, `/openapi/v3${groupPath}/v1alpha1`), /InitializerConfiguration/)
  })

  test('without its admission plugin holds nothing back', async () => {
    await using server = await startTestApiServer({ options: { featureGates: { Initializers: true } } })
    const maps = inProcessClient(server).resource(ConfigMap).in('default')
    assert.equal((await maps.create({ metadata: { name: 'a' } })).metadata.name, 'a')
  })
})
