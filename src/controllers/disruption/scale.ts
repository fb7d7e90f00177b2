import { Scale } from '../../api/autoscaling/v1/scale.js'
import { hasReason } from '../../api/errors.js'
import type { OwnerReference } from '../../api/meta/v1/object-meta.js'
import type { Client } from '../../client/client.js'

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[]
}

/** The replicas of an owner of any kind, by its `scale` subresource; undefined if it is gone. Throws if the kind has no such subresource. */
export async function scaleReplicas(
  client: Client,
  { apiVersion, kind, name, uid }: OwnerReference,
  namespace: string,
): Promise<number | undefined> {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  const resources = await resourcesOf(client, root)
  const resource = resources.find((each) => each.kind === kind && !each.name.includes('/'))
  if (!resource) throw new Error(`no matches for kind "${kind}" in version "${apiVersion}"`)
  const { name: plural, namespaced } = resource
  if (!resources.some((each) => each.name === `${plural}/scale`))
    throw new Error(`${qualified(plural, apiVersion)} does not implement the scale subresource`)
  const owners = client.resource({ root, plural, namespaced, apiVersion, kind }).in(namespace)
  try {
    const scale = await owners.subresource('scale', Scale).get(name)
    return scale.metadata.uid === uid ? (scale.spec.replicas ?? 0) : undefined
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined
    throw error
  }
}

async function resourcesOf(client: Client, root: string): Promise<ResourceList['resources']> {
  try {
    const { bytes } = await client.raw(root)
    return (JSON.parse(Buffer.from(bytes).toString()) as ResourceList).resources
  } catch (error) {
    if (hasReason(error, 'NotFound')) return []
    throw error
  }
}

/** `jobs.batch`, `pods` */
function qualified(plural: string, apiVersion: string): string {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? plural : `${plural}.${apiVersion.slice(0, slash)}`
}
