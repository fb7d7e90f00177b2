import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ApiError } from '../../api/errors.js'
import { qualified } from '../../api/failure.js'
import { builtin } from '../../api/scheme.js'
import type { Client } from '../../client/client.js'
import { definitions } from '../../controllers/definitions.js'
import type { JsonObject } from '../../schema/declaration.js'
import type { ServedKind } from '../../schema/scheme.js'
import { postedObjects } from '../../testing/objects/recorded-objects.js'
import { type ApiServerAccess, startTestApiServer } from '../../testing/servers/api-server.js'
import { httpsClient } from '../../testing/servers/clients.js'
import { type Cluster, startCluster } from '../../testing/start-cluster.js'
import { unfinishedResources } from './unfinished-resources.js'

const resourceName = ({ kind }: ServedKind) => qualified({ group: kind.group, resource: kind.resource.plural })
const kinds = builtin.resources.filter((type) => Object.hasOwn(unfinishedResources, resourceName(type)))

/** Of kinds that no recording creates. */
const samples: Readonly<Record<string, JsonObject>> = {
  CSIDriver: { metadata: { name: 'csi.example.com' }, spec: {} },
  CSIStorageCapacity: { metadata: { name: 'capacity' }, storageClassName: 'fast' },
  ResourceSlice: {
    metadata: { name: 'slice' },
    spec: { driver: 'gpu.example.com', nodeName: 'a', pool: { name: 'a', generation: 1, resourceSliceCount: 1 } },
  },
}

/** What a server warns of when it is asked to create an object of a kind. Nothing is stored. */
async function warningsFor(server: ApiServerAccess, type: ServedKind): Promise<readonly string[]> {
  const { version, kind } = type.kind
  const sample = samples[kind]
  const recorded = sample ? [sample] : (postedObjects().get(type) ?? [])
  for (const object of recorded) {
    const warnings: string[] = []
    const client = httpsClient(server, { warn: (warning) => warnings.push(warning) })
    const isCreated = await create(client, type, object).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError) return false // some recorded objects break rules on purpose
        throw error
      },
    )
    client.close()
    if (isCreated) return warnings
  }
  throw new Error(`no recorded ${kind} of ${version} is accepted`)
}

function create(client: Client, { kind: { group, version, kind, resource } }: ServedKind, object: JsonObject) {
  const apiVersion = group === '' ? version : `${group}/${version}`
  const root = group === '' ? `/api/${version}` : `/apis/${apiVersion}`
  const target = client.resource({ root, apiVersion, kind, plural: resource.plural, namespaced: resource.namespaced })
  const metadata = { ...(object.metadata as JsonObject), ...(resource.namespaced && { namespace: 'default' }) }
  return target.create({ ...object, metadata }, { dryRun: 'All' })
}

const about = (warnings: readonly string[]) => warnings.filter((warning) => warning.includes('does not act on it'))

describe('A resource that nobody acts on', () => {
  let cluster: Cluster
  before(async () => {
    cluster = await startCluster({ nodes: 0 })
  })
  after(() => cluster.close())

  test('is a resource that is served', () => {
    assert.deepEqual([...new Set(kinds.map(resourceName))].sort(), Object.keys(unfinishedResources).sort())
  })

  for (const type of kinds.filter(({ kind }) => !/alpha|beta/.test(kind.version)))
    test(`gives a warning to whoever creates it: ${resourceName(type)}, ${type.kind.version}`, async () => {
      const { kind } = type.kind
      const missing = unfinishedResources[resourceName(type)]
      assert.deepEqual(about(await warningsFor(cluster, type)), [
        `Proa stores this ${kind}, but does not act on it yet: ${missing}`,
      ])
    })

  test('loses its warning when its controller is there', () => {
    const controllers = {
      'statefulset-controller': 'statefulsets.apps',
      'cronjob-controller': 'cronjobs.batch',
      'horizontal-pod-autoscaler-controller': 'horizontalpodautoscalers.autoscaling',
      'persistentvolume-binder-controller': 'persistentvolumeclaims',
      'resourceclaim-controller': 'resourceclaimtemplates.resource.k8s.io',
    }
    const running = new Set<string>(definitions.map(({ name }) => name))
    for (const [controller, resource] of Object.entries(controllers))
      assert.equal(
        Object.hasOwn(unfinishedResources, resource),
        !running.has(controller),
        `${controller} and ${resource}`,
      )
  })

  test('gives no warning from an API server alone, whose controllers may be upstream’s', async () => {
    await using server = await startTestApiServer()
    for (const type of kinds.filter(({ kind }) => ['StatefulSet', 'CustomResourceDefinition'].includes(kind.kind)))
      assert.deepEqual(about(await warningsFor(server, type)), [])
  })
})
