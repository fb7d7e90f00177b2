import type { JsonValue } from '../declaration.js'
import { goText } from '../go-text.js'
import { isList, sameJson } from '../json-value.js'
import { deletionPrefix, elementOrderPrefix, retainKeysDirective } from './directives.js'
import { unmergeable } from './elements.js'
import type { MergeContext } from './merge-context.js'
import { PatchError } from './patch-error.js'

/**
 * Follows `$retainKeys`: members that it does not name disappear. A patch that sets a member which it does not name contradicts
 * itself.
 */
export function retainKeys(merging: MergeContext): void {
  const directive = merging.pending.get(retainKeysDirective)
  if (directive === undefined) return
  merging.pending.delete(retainKeysDirective)
  if (merging.mode === 'combine') keepForLater(merging, directive)
  else follow(merging, directive)
}

function follow({ draft, pending }: MergeContext, directive: JsonValue): void {
  if (!isList(directive)) throw malformed()
  const retained = new Set(directive)
  for (const [key, value] of pending) if (setsMember(key, value) && !retained.has(key)) throw malformed()
  for (const key of draft.keys()) if (!retained.has(key)) draft.delete(key)
}

function setsMember(key: string, value: JsonValue): boolean {
  return value !== null && !key.startsWith(deletionPrefix) && !key.startsWith(elementOrderPrefix)
}

function keepForLater({ draft }: MergeContext, directive: JsonValue): void {
  const known = draft.get(retainKeysDirective)
  if (known === undefined) draft.set(retainKeysDirective, directive)
  else if (!sameJson(known, directive))
    throw unmergeable(
      `${goText(known)} and ${goText(directive)} are not deep equal: this may happen when calculating the 3-way diff patch`,
    )
}

function malformed(): PatchError {
  return new PatchError('malformed', 'invalid patch format of retainKeys')
}
