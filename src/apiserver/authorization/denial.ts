import { type ApiError, forbidden } from '../../api/errors.js'
import { quote } from '../../schema/quote.js'
import type { AuthorizationAttributes } from './authorizer.js'

/** Returns the error for a denied request, in upstream's words. */
export function denial(attributes: AuthorizationAttributes, reason: string): ApiError {
  const { isResource, group, resource, name } = attributes
  const message = withoutMarkup(isResource ? resourceMessage(attributes) : pathMessage(attributes))
  const why = reason === '' ? message : `${message}: ${reason}`
  return forbidden(isResource ? { group, resource } : undefined, name, why)
}

function pathMessage({ user, verb, path }: AuthorizationAttributes): string {
  return `User ${quote(user.name)} cannot ${verb} path ${quote(path)}`
}

function resourceMessage({ user, verb, group, resource, subresource, namespace }: AuthorizationAttributes): string {
  const what = quote(subresource === '' ? resource : `${resource}/${subresource}`)
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`
  return `User ${quote(user.name)} cannot ${verb} resource ${what} in API group ${quote(group)} ${where}`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Escapes markup, so that a browser does not interpret parts of the client's path. */
function withoutMarkup(message: string): string {
  return message.replace(/[&<>]/g, (character) => entities[character]!)
}
