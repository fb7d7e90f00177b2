import { compareText } from '../text-order.js'
import { union } from './field-set/set-algebra.js'
import { type FieldManager, type FieldManagers, managerKey } from './managed-fields/managers.js'

/** Every client that ever updated an object would be remembered with it: beyond this many, the oldest are put together. */
const maximumUpdaters = 10

const ancient = 'ancient-changes'

/** Puts the fields of the longest silent updaters, version by version, under one name until there are few enough of them. */
export function capUpdaters(owners: FieldManagers): FieldManagers {
  if (owners.size <= maximumUpdaters) return owners
  const updaters = [...owners].filter(([, { operation }]) => operation === 'Update')
  let surplus = updaters.length - maximumUpdaters
  if (surplus <= 0) return owners
  const capped = new Map(owners)
  const oldest = new Map<string, string>()
  for (const [identity, owner] of updaters.sort(compareAge)) {
    if (surplus <= 0) break
    const first = oldest.get(owner.apiVersion)
    if (first === undefined) oldest.set(owner.apiVersion, identity)
    else if (putTogether(capped, first, identity)) surplus--
  }
  return capped
}

function compareAge([idA, a]: [string, FieldManager], [idB, b]: [string, FieldManager]): number {
  return compareText(a.time ?? '', b.time ?? '') || compareText(idA, idB)
}

/** Adds the fields of the second to those of the bucket of its version, into which the first goes if there is none yet. */
function putTogether(owners: Map<string, FieldManager>, first: string, second: string): boolean {
  const owner = owners.get(second)!
  const bucket: FieldManager = { ...owner, manager: ancient, subresource: '', entry: undefined }
  const identity = managerKey(bucket)
  if (second === identity) return false
  const before = owners.get(identity) ?? owners.get(first)!
  if (!owners.has(identity)) owners.delete(first)
  owners.delete(second)
  owners.set(identity, { ...bucket, fields: union(owner.fields, before.fields) })
  return true
}
