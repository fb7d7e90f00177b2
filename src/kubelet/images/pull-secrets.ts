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

/** The credentials of all pull secrets that a pod names. Those of its service account were added to it when it was created. */
export class PullSecrets {
  readonly #dependencies: PullSecretsDependencies

  constructor(dependencies: PullSecretsDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * A secret that cannot be read is told of, and left out: the image may be had without it. Rejects with a `PullSecretError` for one
   * that makes no sense.
   */
  async of(pod: Pod, signal: AbortSignal | undefined): Promise<readonly RegistryCredential[]> {
    const names = (pod.spec.imagePullSecrets ?? []).flatMap(({ name }) => name || [])
    if (names.length === 0) return []
    const secrets = await Promise.all(names.map((name) => this.#read(pod, name, signal)))
    const missing = names.filter((_, i) => secrets[i] === undefined)
    if (missing.length > 0) this.#tell(pod, missing)
    return secrets.flatMap((secret) => (secret ? registryCredentials(secret) : []))
  }

  async #read(pod: Pod, name: string, signal: AbortSignal | undefined): Promise<Secret | undefined> {
    const { namespace = '' } = pod.metadata
    try {
      return await this.#dependencies.client.resource(Secret).in(namespace).get(name, { signal })
    } catch (error) {
      signal?.throwIfAborted()
      this.#dependencies.log.warn('a pull secret cannot be read', { secret: `${namespace}/${name}`, error })
      return undefined
    }
  }

  #tell(about: Pod, missing: readonly string[]): void {
    const list = missing.join(', ')
    this.#dependencies.events.record({
      about,
      type: 'Warning',
      reason: 'FailedToRetrieveImagePullSecret',
      message: `Unable to retrieve some image pull secrets (${list}); attempting to pull the image may not succeed.`,
    })
  }
}
