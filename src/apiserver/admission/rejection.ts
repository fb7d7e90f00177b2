import { type ApiError, forbidden } from '../../api/errors.js'
import type { StatusCause } from '../../api/meta/v1/status.js'
import type { AdmissionRequest } from './admission.js'

/** Returns the error by which a plugin rejects a request, in upstream's words. */
export function rejection(request: AdmissionRequest, why: string, causes: readonly StatusCause[] = []): ApiError {
  return forbidden(request.resource.groupResource, displayedName(request), why, causes)
}

/** Returns the name, or the prefix of a name that is still to be generated. */
function displayedName({ name, object }: AdmissionRequest): string {
  return name || object?.metadata.name || object?.metadata.generateName || 'Unknown'
}
