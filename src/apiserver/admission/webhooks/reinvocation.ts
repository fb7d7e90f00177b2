import type { KubeObject } from '../../../api/kube-object.js'
import { asJson } from '../../../api/kube-object.js'
import type { JsonObject } from '../../../schema/declaration.js'
import type { Draft } from '../../../schema/infer.js'
import { sameJson } from '../../../schema/json-value.js'

/** Knows which webhooks of one request to call a second time, because the object has changed since their call. */
export class Reinvocation {
  /** Webhooks with `IfNeeded` that were called since the last change. */
  #called = new Set<string>()
  readonly #again = new Set<string>()
  #copy: JsonObject | undefined

  /** Records the call of a webhook with `IfNeeded`. */
  called(id: string): void {
    this.#called.add(id)
  }

  /** Records a change of the object. */
  changed(): void {
    for (const id of this.#called) this.#again.add(id)
    this.#called = new Set()
  }

  isNeeded(id: string): boolean {
    return this.#again.has(id)
  }

  /** Copies the object after the webhooks of a round; plugins change it in place. */
  remember(object: Draft<KubeObject> | undefined): void {
    this.#copy = object && asJson(structuredClone(object))
  }

  /** Whether plugins have changed the object since. */
  isDifferent(object: Draft<KubeObject> | undefined): boolean {
    return !sameJson(this.#copy, object && asJson(object))
  }
}
