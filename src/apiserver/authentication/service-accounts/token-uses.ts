import { dayOf, lastUsedLabel } from '../../../api/core/v1/secret/service-account-token.js'
import type { Environment } from '../../../base/environment.js'
import type { LabelledCredentialObjects } from '../credential-objects.js'

/** Where a token of the first generation is kept. */
export interface KeptSecret {
  readonly namespace: string
  readonly name: string
}

/**
 * Writes down on which day a token that is kept in a secret was last used, so that those that nobody uses can come to an end. Who
 * shows the token does not wait for it; a day that could not be written down is tried again at the next use.
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
      .catch((error: unknown) => log.warn('the use of a token could not be written down', { secret: key, error }))
      .finally(() => writing.delete(key))
  }
}
