import { extensibleCopy } from '../../schema/json-value.js'
import type { ObjectMeta } from '../meta/v1/object-meta.js'

type OpenMeta = { -readonly [K in keyof ObjectMeta]: ObjectMeta[K] }

/** The metadata with which a new object begins: who it is and since when, the server says, whatever the client said. */
export function bornMetadata(metadata: ObjectMeta, uid: string, now: string): ObjectMeta {
  const born: OpenMeta = extensibleCopy(isPlain(metadata) ? metadata : withoutSystemFields(metadata))
  born.uid = uid
  born.creationTimestamp = now
  return born
}

/** Nearly all: copying all members is far cheaper than copying all but some. */
function isPlain({ deletionTimestamp, deletionGracePeriodSeconds, selfLink }: ObjectMeta): boolean {
  return deletionTimestamp === undefined && deletionGracePeriodSeconds === undefined && selfLink === undefined
}

function withoutSystemFields(metadata: ObjectMeta): ObjectMeta {
  const { deletionTimestamp, deletionGracePeriodSeconds, selfLink, ...rest } = metadata
  return rest
}

/**
 * The metadata of an object that replaces `old`. What a client cannot mean to change is taken from `old`: the time of creation
 * always, the uid if none is given, and a deletion that has begun. What is left to be refused, `validateMetadataUpdate` refuses.
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
