import type { Pod } from '../../api/core/v1/pod.js'
import { Secret } from '../../api/core/v1/secret.js'
import type { Logger } from '../../base/logging.js'
import type { Client } from '../../client/client.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import type { RegistryCredential } from './credential.js'
import { registryCredentials } from './docker-config.js'

export interface PullSecretsDependencies {
  readonly client: Client
  readonly events: EventRecorder
  readonly log: Logger
}

/** Reads the pull secrets of a pod. Those of its service account were added to the pod when it was created. */
export class PullSecrets {
  readonly #dependencies: PullSecretsDependencies

  constructor(dependencies: PullSecretsDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Skips secrets that cannot be read, and records an event: the image may be public. Rejects with a `PullSecretError` for a malformed one.
   */
  async of(pod: Pod, signal: AbortSignal | undefined): Promise<readonly RegistryCredential[]> {
    const names = (pod.spec.imagePullSecrets ?? []).flatMap(({ name }) => name || [])
    if (names.length === 0) return []
    const secrets = await Promise.all(names.map((name) => this.#read(pod, name, signal)))
    const missing = names.filter((_, i) => secrets[i] === undefined)
    if (missing.length > 0) this.#recordMissing(pod, missing)
    return secrets.flatMap((secret) => (secret ? registryCredentials(secret) : []))
  }

  async #read(pod: Pod, name: string, signal: AbortSignal | undefined): Promise<Secret | undefined> {
    const { namespace = '' } = pod.metadata
    try {
      return await this.#dependencies.client.resource(Secret).in(namespace).get(name, { signal })
    } catch (error) {
      signal?.throwIfAborted()
      this.#dependencies.log.warn('pull secret unreadable', { secret: `${namespace}/${name}`, error })
      return undefined
    }
  }

  #recordMissing(about: Pod, missing: readonly string[]): void {
    const list = missing.join(', ')
    this.#dependencies.events.record({
      about,
      type: 'Warning',
      reason: 'FailedToRetrieveImagePullSecret',
      message: `Unable to retrieve some image pull secrets (${list}); attempting to pull the image may not succeed.`,
    })
  }
}
