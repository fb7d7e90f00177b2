import type { Environment } from '../../../base/environment.js'
import { labelKey } from '../../../schema/label-names.js'
import type { Detail } from '../../request/request-context.js'
import type { AdmissionRequest } from '../admission.js'

/** Adds the audit annotations of webhooks to requests. The first value of a key counts. */
export class AuditAnnotations {
  readonly #log: Environment['log']
  readonly #addedKeys = new WeakMap<object, Set<string>>()

  constructor({ log }: Pick<Environment, 'log'>) {
    this.#log = log
  }

  add({ context }: AdmissionRequest, key: string, value: string, detail?: Detail): void {
    if (!context?.listeners) return
    if (labelKey(key).length > 0) {
      this.#log.warn('audit annotation key of webhook invalid', { key })
      return
    }
    const added = this.#addedKeys.get(context) ?? new Set()
    this.#addedKeys.set(context, added)
    if (added.has(key)) return
    added.add(key)
    for (const listener of context.listeners) listener.annotate?.(key, value, detail)
  }
}
