import type { AdmissionRequest } from '../admission.js'
import type { CheckedPod } from './check.js'
import type { PodSecurityExemptions } from './configuration.js'

/** Requests and pods that no policy applies to. */
export class Exemptions {
  readonly #usernames: ReadonlySet<string>
  readonly #namespaces: ReadonlySet<string>
  readonly #runtimeClasses: ReadonlySet<string>

  constructor({ usernames, namespaces, runtimeClasses }: PodSecurityExemptions = {}) {
    this.#usernames = new Set(usernames)
    this.#namespaces = new Set(namespaces)
    this.#runtimeClasses = new Set(runtimeClasses)
  }

  includeNamespace(name: string): boolean {
    return this.#namespaces.has(name)
  }

  /** By namespace, or by user. */
  includeRequest({ namespace, user }: AdmissionRequest): boolean {
    return this.#namespaces.has(namespace) || this.#usernames.has(user.name)
  }

  includePod({ spec }: CheckedPod): boolean {
    return spec.runtimeClassName !== undefined && this.#runtimeClasses.has(spec.runtimeClassName)
  }
}
