import { type ApiError, forbidden } from '../../api/errors.js'
import type { StatusCause } from '../../api/meta/v1/status.js'
import type { AdmissionRequest } from './admission.js'

/** A plugin's no, in the words that all plugins use. */
export function rejection(request: AdmissionRequest, why: string, causes: readonly StatusCause[] = []): ApiError {
  return forbidden(request.resource.groupResource, subjectName(request), why, causes)
}

/** Names that are yet to be generated are told by what they will begin with. */
function subjectName({ name, object }: AdmissionRequest): string {
  return name || object?.metadata.name || object?.metadata.generateName || 'Unknown'
}
