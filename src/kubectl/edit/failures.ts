import { type ApiError, hasReason } from '../../api/errors.js'
import { quote } from '../../schema/quote.js'
import { errorMessage } from '../command-errors.js'
import { isNotFound } from '../factory/rest.js'
import { type ResourceObject, resourceName } from '../resources/resource-object.js'
import type { EditError } from './file-text.js'

/** The errors of one save, and whether trying again makes sense. */
export class EditFailures {
  /** The errors for the header of the file when it is opened again. */
  readonly reasons: EditError[] = []
  #lost = 0
  #retryable = 0

  /** Whether objects no longer exist. */
  get hasNotFound(): boolean {
    return this.#lost > 0
  }

  /** Whether another attempt may succeed. */
  get hasRetryable(): boolean {
    return this.#retryable > 0
  }

  /** Records an error. Returns its text. */
  add(error: unknown, info: ResourceObject): string {
    const subject = `${resourceName(info.resource)} ${quote(info.name)}`
    if (hasReason(error, 'Invalid')) return this.addInvalid(info, causesOf(error))
    if (isNotFound(error)) {
      this.#lost++
      return `error: ${subject} could not be found on the server`
    }
    this.#retryable++
    return `error: ${subject} could not be patched: ${errorMessage(error)}`
  }

  addInvalid(info: ResourceObject, causes: readonly string[]): string {
    const subject = `${resourceName(info.resource)} ${quote(info.name)}`
    this.reasons.push({ head: `${subject} was not valid`, causes })
    return `error: ${subject} is invalid`
  }
}

function causesOf(error: ApiError): readonly string[] {
  const { causes = [] } = error.status().details ?? {}
  return causes.map(({ field = '', message: text = '' }) => `${field}: ${text}`)
}
