import type { KubeObject } from '../../api/kube-object.js'
import type { Client } from '../../client/client.js'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import { discover, preferred } from '../../controllers/runtime/discovery.js'

/** All objects of a cluster at one revision, each object once. */
export class WorldSnapshot {
  readonly revision: number
  readonly objects: readonly KubeObject[]
  readonly #byUid: ReadonlyMap<string, KubeObject>
  readonly #byController: ReadonlyMap<string, readonly KubeObject[]>

  constructor(revision: number, objects: readonly KubeObject[]) {
    this.revision = revision
    this.objects = objects
    this.#byUid = new Map(objects.map((object) => [object.metadata.uid ?? '', object]))
    this.#byController = byController(objects)
  }

  of(kind: string): readonly KubeObject[] {
    return this.objects.filter((object) => object.kind === kind)
  }

  withUid(uid: string): KubeObject | undefined {
    return this.#byUid.get(uid)
  }

  /** Returns the objects whose controller is the given object. */
  controlledBy({ metadata }: KubeObject): readonly KubeObject[] {
    return this.#byController.get(metadata.uid ?? '') ?? []
  }
}

function byController(objects: readonly KubeObject[]): ReadonlyMap<string, readonly KubeObject[]> {
  const controlled = new Map<string, KubeObject[]>()
  for (const object of objects) {
    const uid = object.metadata.ownerReferences?.find(({ controller }) => controller)?.uid
    if (uid !== undefined) controlled.set(uid, [...(controlled.get(uid) ?? []), object])
  }
  return controlled
}

/** `Pod default/web` */
export function titleOf({ kind, metadata: { namespace, name } }: KubeObject): string {
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`
}

/** Lists every resource, custom resources included, at one revision. */
export async function takeSnapshot(client: Client): Promise<WorldSnapshot> {
  const { resources } = await discover(client)
  const listed = preferred(resources).filter(({ verbs, plural }) => verbs.includes('list') && !plural.includes('/'))
  const { resourceVersion } = await client.resource(namespaces).list({ limit: 1 })
  const lists = await Promise.all(listed.map((resource) => objectsAt(client, resource, resourceVersion)))
  const unique = new Map(lists.flat().map((object) => [object.metadata.uid, object]))
  return new WorldSnapshot(Number(resourceVersion), [...unique.values()])
}

const namespaces = { root: '/api/v1', plural: 'namespaces', namespaced: false, apiVersion: 'v1', kind: 'Namespace' }

/** Leaves out objects that are not stored, such as component statuses: they have neither revision nor uid. */
async function objectsAt(
  client: Client,
  resource: DiscoveredResource,
  resourceVersion: string,
): Promise<readonly KubeObject[]> {
  const { items } = await client.resource(resource).list({ resourceVersion, resourceVersionMatch: 'Exact' })
  return items.filter(({ metadata }) => metadata.uid !== undefined)
}
