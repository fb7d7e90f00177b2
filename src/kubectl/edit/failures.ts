import { type ApiError, hasReason } from '../../api/errors.js'
import { quote } from '../../schema/quote.js'
import { errorMessage } from '../command-errors.js'
import { isNotFound } from '../factory/rest.js'
import { type ResourceObject, resourceName } from '../resources/resource-object.js'
import type { EditError } from './file-text.js'

/** What went wrong with the objects of one saving, and what can be done about it. */
export class EditFailures {
  /** For the head of the file, if it is to be opened again. */
  readonly reasons: EditError[] = []
  #lost = 0
  #retryable = 0

  /** Objects are gone. */
  get hasNotFound(): boolean {
    return this.#lost > 0
  }

  /** The same could be tried again, and perhaps succeed. */
  get hasRetryable(): boolean {
    return this.#retryable > 0
  }

  /** Takes it in, and gives the line that tells it. */
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
