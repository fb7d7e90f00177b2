import type { KubeObject } from '../../api/kube-object.js'
import type { Client } from '../../client/client.js'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import { discover, preferred } from '../../controllers/runtime/discovery.js'

/** Everything that a cluster holds at one revision, each object once. */
export class ClusterSnapshot {
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

  /** What an object controls. */
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

/** All that is served and can be listed, CRDs included, as of one and the same revision. */
export async function takeSnapshot(client: Client): Promise<ClusterSnapshot> {
  const { resources } = await discover(client)
  const listed = preferred(resources).filter(({ verbs, plural }) => verbs.includes('list') && !plural.includes('/'))
  const { resourceVersion } = await client.resource(namespaces).list({ limit: 1 })
  const lists = await Promise.all(listed.map((resource) => objectsAt(client, resource, resourceVersion)))
  const unique = new Map(lists.flat().map((object) => [object.metadata.uid, object]))
  return new ClusterSnapshot(Number(resourceVersion), [...unique.values()])
}

const namespaces = { root: '/api/v1', plural: 'namespaces', namespaced: false, apiVersion: 'v1', kind: 'Namespace' }

/** What is not stored, such as the health of components, has neither revisions nor uids. */
async function objectsAt(
  client: Client,
  resource: DiscoveredResource,
  resourceVersion: string,
): Promise<readonly KubeObject[]> {
  const { items } = await client.resource(resource).list({ resourceVersion, resourceVersionMatch: 'Exact' })
  return items.filter(({ metadata }) => metadata.uid !== undefined)
}
