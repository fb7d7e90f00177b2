import type { JsonObject } from '../declaration.js'
import { objectIn, stringIn } from '../json-value.js'

/** An apply that asks for something it cannot ask for: answered as a bad request. */
export class ApplyRequestError extends Error {}

/** A configuration that is no part of an object of its kind. Its message is all that the answer says. */
export class ApplyConfigurationError extends Error {}

/** `apps/v1, Kind=Deployment`, as messages name a kind. The core group has no name: `/v1, Kind=Pod`. */
export function kindText(object: JsonObject): string {
  const parts = stringIn(object, 'apiVersion').split('/')
  if (parts.length > 2) return '/, Kind='
  const [group, version] = parts.length === 2 ? parts : ['', parts[0]]
  return `${group}/${version}, Kind=${stringIn(object, 'kind')}`
}

/** `default/web; apps/v1, Kind=Deployment`, as messages name an object. */
export function objectText(object: JsonObject): string {
  const metadata = objectIn(object, 'metadata')
  return `${stringIn(metadata, 'namespace')}/${stringIn(metadata, 'name')}; ${kindText(object)}`
}
