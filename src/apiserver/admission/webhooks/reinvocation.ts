import type { KubeObject } from '../../../api/kube-object.js'
import { asJson } from '../../../api/kube-object.js'
import type { JsonObject } from '../../../schema/declaration.js'
import type { Draft } from '../../../schema/infer.js'
import { sameJson } from '../../../schema/json-value.js'

/** Of one request: which webhooks are asked a second time, because something has changed since they were asked. */
export class Reinvocation {
  /** Those who want to be asked again, and have been asked since the last change. */
  #asked = new Set<string>()
  readonly #wanted = new Set<string>()
  #left: JsonObject | undefined

  /** A webhook that wants to be asked again has been asked. */
  asked(id: string): void {
    this.#asked.add(id)
  }

  /** Somebody changed the object. */
  changed(): void {
    for (const id of this.#asked) this.#wanted.add(id)
    this.#asked = new Set()
  }

  isWanted(id: string): boolean {
    return this.#wanted.has(id)
  }

  /** How webhooks left the object; plugins change it in place. */
  leave(object: Draft<KubeObject> | undefined): void {
    this.#left = object && asJson(structuredClone(object))
  }

  /** Plugins changed the object since. */
  isDifferent(object: Draft<KubeObject> | undefined): boolean {
    return !sameJson(this.#left, object && asJson(object))
  }
}
