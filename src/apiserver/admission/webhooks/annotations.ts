import type { Environment } from '../../../base/environment.js'
import { labelKey } from '../../../schema/label-names.js'
import type { Detail } from '../../request/request-context.js'
import type { AdmissionRequest } from '../admission.js'

/** Tells those who look at a request later what webhooks did to it. Of what is told twice, the first counts. */
export class AuditAnnotations {
  readonly #log: Environment['log']
  readonly #told = new WeakMap<object, Set<string>>()

  constructor({ log }: Pick<Environment, 'log'>) {
    this.#log = log
  }

  add({ context }: AdmissionRequest, key: string, value: string, detail?: Detail): void {
    if (!context?.listeners) return
    if (labelKey(key).length > 0) {
      this.#log.warn('an audit annotation of an admission webhook has a name that cannot be written down', { key })
      return
    }
    const told = this.#told.get(context) ?? new Set()
    this.#told.set(context, told)
    if (told.has(key)) return
    told.add(key)
    for (const listener of context.listeners) listener.annotate?.(key, value, detail)
  }
}
