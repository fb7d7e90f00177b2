import { extensibleCopy } from '../../schema/json-value.js'
import type { ObjectMeta } from '../meta/v1/object-meta.js'

type OpenMeta = { -readonly [K in keyof ObjectMeta]: ObjectMeta[K] }

/** The metadata of a new object. The server sets identity and times, whatever the client sent. */
export function bornMetadata(metadata: ObjectMeta, uid: string, now: string): ObjectMeta {
  const born: OpenMeta = extensibleCopy(isPlain(metadata) ? metadata : withoutSystemFields(metadata))
  born.uid = uid
  born.creationTimestamp = now
  return born
}

/** Whether all members can be copied, which is much cheaper than omitting some. True for nearly all objects. */
function isPlain({ deletionTimestamp, deletionGracePeriodSeconds, selfLink }: ObjectMeta): boolean {
  return deletionTimestamp === undefined && deletionGracePeriodSeconds === undefined && selfLink === undefined
}

function withoutSystemFields(metadata: ObjectMeta): ObjectMeta {
  const { deletionTimestamp, deletionGracePeriodSeconds, selfLink, ...rest } = metadata
  return rest
}

/**
 * The metadata of an object that replaces `old`. The creation time, a started deletion and, if the client sends none, the uid are taken from
 * `old`. `validateMetadataUpdate` rejects other invalid changes.
 */
export function carriedMetadata(metadata: ObjectMeta, old: ObjectMeta): ObjectMeta {
  const carried: OpenMeta = extensibleCopy(metadata)
  if (metadata.selfLink !== undefined) delete carried.selfLink
  if (!metadata.uid && old.uid) carried.uid = old.uid
  if (old.creationTimestamp) carried.creationTimestamp = old.creationTimestamp
  if (old.deletionTimestamp) carried.deletionTimestamp = old.deletionTimestamp
  if (metadata.deletionGracePeriodSeconds === undefined && old.deletionGracePeriodSeconds !== undefined)
    carried.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds
  return carried
}
