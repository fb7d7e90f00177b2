import type { AdmissionRequest } from '../admission.js'
import type { CheckedPod } from './check.js'
import type { PodSecurityExemptions } from './configuration.js'

/** Of whom no policy asks anything. */
export class Exemptions {
  readonly #usernames: ReadonlySet<string>
  readonly #namespaces: ReadonlySet<string>
  readonly #runtimeClasses: ReadonlySet<string>

  constructor({ usernames, namespaces, runtimeClasses }: PodSecurityExemptions = {}) {
    this.#usernames = new Set(usernames)
    this.#namespaces = new Set(namespaces)
    this.#runtimeClasses = new Set(runtimeClasses)
  }

  haveNamespace(name: string): boolean {
    return this.#namespaces.has(name)
  }

  /** By where it goes, or by who makes it. */
  haveRequest({ namespace, user }: AdmissionRequest): boolean {
    return this.#namespaces.has(namespace) || this.#usernames.has(user.name)
  }

  havePod({ spec }: CheckedPod): boolean {
    return spec.runtimeClassName !== undefined && this.#runtimeClasses.has(spec.runtimeClassName)
  }
}
