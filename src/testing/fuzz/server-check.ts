import { fuzzedResources, fuzzNamespaces } from './hostile-targets.js'
import type { WellBehavedClient } from './well-behaved-client.js'

interface Stored {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly resourceVersion: string }
}

/** Checks that every stored object can be read, and written back unchanged. Returns the faults and the number of objects. */
export async function checkStoredObjects(
  client: WellBehavedClient,
): Promise<{ readonly count: number; readonly faults: string[] }> {
  const faults: string[] = []
  let count = 0
  for (const { kind } of fuzzedResources) {
    const { plural, verbs } = kind.resource
    if (!verbs.includes('list')) continue
    const prefix = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`
    const { items } = await client.sendSuccessfully<{ items: readonly Stored[] }>('GET', `${prefix}/${plural}`)
    count += items.length
    for (const { metadata } of items) {
      const inside = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`
      const path = `${prefix}${inside}/${plural}/${encodeURIComponent(metadata.name)}`
      const fault = await faultOf(client, path, verbs.includes('update'))
      if (fault !== undefined) faults.push(`${path}: ${fault}`)
    }
  }
  return { count, faults }
}

async function faultOf(client: WellBehavedClient, path: string, isUpdated: boolean): Promise<string | undefined> {
  const read = await client.send('GET', path)
  if (read.status !== 200) return `it is listed, but cannot be read: ${read.status} ${read.text}`
  if (!isUpdated) return undefined
  const object = JSON.parse(read.text) as Stored
  const written = await client.send('PUT', path, object)
  if (written.status !== 200) return `it cannot be written back unchanged: ${written.status} ${written.text}`
  const after = JSON.parse(written.text) as Stored
  const changes = differences(object, after, '')
  return changes.length === 0 ? undefined : `it changed by being written back unchanged: ${changes.join(', ')}`
}

/** The server may normalize managed fields that a client wrote. */
const unstable: readonly string[] = ['/metadata/resourceVersion', '/metadata/managedFields']

/** Returns the paths at which two values differ. */
function differences(left: unknown, right: unknown, path: string): string[] {
  if (left === right || unstable.includes(path)) return []
  if (!isContainer(left) || !isContainer(right))
    return [`${path}: ${JSON.stringify(left)} became ${JSON.stringify(right)}`]
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].flatMap((key) => differences(left[key], right[key], `${path}/${key}`))
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Deletes all objects in the test namespaces. Objects with finalizers stay. */
export async function deleteTestObjects(client: WellBehavedClient): Promise<void> {
  for (const { kind } of fuzzedResources) {
    const { plural, verbs, namespaced } = kind.resource
    if (!namespaced || !verbs.includes('deletecollection')) continue
    const prefix = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`
    for (const namespace of fuzzNamespaces)
      await client.send('DELETE', `${prefix}/namespaces/${namespace}/${plural}?gracePeriodSeconds=0`)
  }
}

/** Creates, updates, reads and deletes an object, which must work on a healthy server. */
export async function checkBasicRequests(client: WellBehavedClient, name: string): Promise<void> {
  const path = '/api/v1/namespaces/default/configmaps'
  const made = await client.sendSuccessfully<Record<string, unknown>>('POST', path, {
    metadata: { name },
    data: { __proto__of: 'nobody' },
  })
  await client.sendSuccessfully('PUT', `${path}/${name}`, { ...made, data: { a: 'b' } })
  const { data } = await client.sendSuccessfully<{ data: Record<string, string> }>('GET', `${path}/${name}`)
  if (data.a !== 'b' || Object.keys(data).length !== 1)
    throw new Error(`read ${JSON.stringify(data)} after writing a: b`)
  await client.sendSuccessfully('DELETE', `${path}/${name}`)
}
