import { dayOf, lastUsedLabel } from '../../../api/core/v1/secret/service-account-token.js'
import type { Environment } from '../../../base/environment.js'
import type { LabelledCredentialObjects } from '../credential-objects.js'

/** The secret of a legacy token. */
export interface KeptSecret {
  readonly namespace: string
  readonly name: string
}

/**
 * Returns a function that labels a secret with the day on which its token was last used, so that unused tokens can be deleted. Requests do not
 * wait for the write; a failed write is repeated at the next use.
 */
export function tokenUses(
  objects: Pick<LabelledCredentialObjects, 'find' | 'labelSecret'>,
  { clock, log }: Pick<Environment, 'clock' | 'log'>,
): (secret: KeptSecret) => void {
  const writing = new Set<string>()
  return ({ namespace, name }) => {
    const today = dayOf(clock.now())
    const key = `${namespace}/${name}`
    const { labels } = objects.find('secrets', namespace, name)?.metadata ?? {}
    if (writing.has(key) || (labels?.[lastUsedLabel] ?? '') >= today) return
    writing.add(key)
    objects
      .labelSecret(namespace, name, [lastUsedLabel, today])
      .catch((error: unknown) => log.warn('token use label failed', { secret: key, error }))
      .finally(() => writing.delete(key))
  }
}
