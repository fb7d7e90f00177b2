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
  if (manifests.length === 0) throw new TypeError('there is nothing to apply: write apply(yaml) or apply(object, …)')
  const given = await Promise.all(manifests.map((each) => (typeof each === 'string' ? parsed(each) : listed(each))))
  return given.flat().map(checked)
}

async function parsed(text: string): Promise<readonly object[]> {
  const objects = await objectsOfText(text, 'the manifest').catch((error: unknown) => {
    throw badManifest(text, problemOf(error as Error))
  })
  if (objects.length === 0) throw badManifest(text, 'there is no object in it')
  return objects
}

function badManifest(text: string, problem: string): TypeError {
  const isPath = /^[^\n]*\.(ya?ml|json)$/.test(text)
  const advice = isPath ? "; it looks like a path: write apply(readFileSync(path, 'utf8'))" : ''
  return new TypeError(`a manifest cannot be read: ${problem}; it begins ${JSON.stringify(text.slice(0, 80))}${advice}`)
}

/** Without what kubectl says of files and flags. */
function problemOf({ message }: Error): string {
  return message
    .replace(/^error (validating|parsing) .*?: (error validating data: )?/, '')
    .replace(/; if you choose .*/s, '')
}

function listed(object: object): readonly object[] {
  if (typeof object !== 'object' || object === null || Array.isArray(object))
    throw new TypeError(
      `a manifest is ${JSON.stringify(object)?.slice(0, 80)}: write YAML, or objects one by one, as in apply(...objects)`,
    )
  const { kind, items } = object as { readonly kind?: string; readonly items?: readonly object[] }
  return kind === 'List' && items ? items : [object]
}

function checked(object: object): KubeObject {
  const { apiVersion, kind, metadata } = object as Partial<KubeObject>
  if (!apiVersion || !kind || !metadata?.name)
    throw new TypeError(`an object to be applied needs apiVersion, kind and metadata.name: ${JSON.stringify(object)}`)
  return object as KubeObject
}
