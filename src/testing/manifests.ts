import type { KubeObject } from '../api/kube-object.js'
import type { Client } from '../client/client.js'
import { discoverBy, remembered } from '../client/discovery/discovery.js'
import { ResourceMapper } from '../client/discovery/resource-mapper.js'
import { objectsOf as objectsOfText } from '../kubectl/resources/files.js'

/** Objects, or YAML that may have several of them. */
export type Manifest = string | object

/** Brings manifests of any kind to a server, and finds them there again. */
export class Manifests {
  readonly #client: Client
  readonly #mapper: ResourceMapper

  constructor(client: Client) {
    this.#client = client
    this.#mapper = new ResourceMapper(remembered(discoverBy(client)))
  }

  /** Server-side apply, in the order given. Gives the objects as they are stored. */
  async apply(manifests: readonly Manifest[], namespace: string): Promise<KubeObject[]> {
    const applied: KubeObject[] = []
    for (const object of await objectsOf(manifests)) applied.push(await this.#applyOne(object, namespace))
    return applied
  }

  async #applyOne(object: KubeObject, namespace: string): Promise<KubeObject> {
    const [version = '', group = ''] = (object.apiVersion ?? '').split('/').reverse()
    const place = await this.#mapper.kind({ kind: object.kind ?? '', group, version })
    const resource = this.#client.resource(place)
    const inside = place.namespaced ? resource.in(object.metadata.namespace ?? namespace) : resource
    return inside.apply(object, { fieldManager: 'proa-testing', force: true })
  }
}

async function objectsOf(manifests: readonly Manifest[]): Promise<KubeObject[]> {
  const given = await Promise.all(
    manifests.map((each) => (typeof each === 'string' ? objectsOfText(each, 'the manifest') : listed(each))),
  )
  return given.flat().map(checked)
}

function listed(object: object): readonly object[] {
  const { kind, items } = object as { readonly kind?: string; readonly items?: readonly object[] }
  return kind === 'List' && items ? items : [object]
}

function checked(object: object): KubeObject {
  const { apiVersion, kind, metadata } = object as Partial<KubeObject>
  if (!apiVersion || !kind || !metadata?.name)
    throw new TypeError(`an object to be applied needs apiVersion, kind and metadata.name: ${JSON.stringify(object)}`)
  return object as KubeObject
}
