/** Validates the address of a webhook: a URL or a service of the cluster. */
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { portNumber } from '../../../../schema/identifiers.js'
import { dnsSubdomain } from '../../../../schema/names.js'
import { quote } from '../../../../schema/quote.js'
import type { ServiceReference, WebhookClientConfig } from '../webhook-client.js'

export function validateWebhookClient(config: WebhookClientConfig, path: FieldPath): readonly field.FieldError[] {
  const { url, service } = config
  if ((url === undefined) === (service === undefined))
    return [field.required(path, 'exactly one of url or service is required')]
  if (url !== undefined) return validateWebhookUrl(url, path.child('url'))
  return service ? validateWebhookService(service, path.child('service')) : field.none
}

const form = '; desired format: https://host[/path]'

export function validateWebhookUrl(text: string, path: FieldPath): readonly field.FieldError[] {
  const problem = urlProblem(text)
  if (problem !== undefined) return [field.required(path, `url must be a valid URL: ${problem}${form}`)]
  const { scheme, user, host, query, fragment } = partsOf(text)
  const errors: field.FieldError[] = []
  if (scheme !== 'https') errors.push(field.invalid(path, scheme, `'https' is the only allowed URL scheme${form}`))
  if (host === '') errors.push(field.invalid(path, host, `host must be specified${form}`))
  if (user !== undefined) errors.push(field.invalid(path, user, 'user information is not permitted in the URL'))
  if (fragment !== '') errors.push(field.invalid(path, fragment, 'fragments are not permitted in the URL'))
  if (query !== '') errors.push(field.invalid(path, query, 'query parameters are not permitted in the URL'))
  return errors
}

interface UrlParts {
  readonly scheme: string
  readonly user: string | undefined
  readonly host: string
  readonly query: string
  readonly fragment: string
}

/** Splits a URL. Absent parts are empty. */
function partsOf(text: string): UrlParts {
  const match = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s.exec(text)
  const [, scheme = '', authority = '', query = '', fragment = ''] = match ?? []
  const at = authority.lastIndexOf('@')
  return {
    scheme: scheme.toLowerCase(),
    user: at < 0 ? undefined : authority.slice(0, at),
    host: authority.slice(at + 1),
    query,
    fragment,
  }
}

function urlProblem(text: string): string | undefined {
  const problem = (detail: string) => `parse ${quote(text)}: ${detail}`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
  if (/[\x00-\x1f\x7f]/.test(text)) return problem('net/url: invalid control character in URL')
  if (text.startsWith(':')) return problem('missing protocol scheme')
  const wrongEscape = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(text)
  if (wrongEscape) return problem(`invalid URL escape ${quote(wrongEscape[0])}`)
  const port = /:([^\]]*)$/.exec(partsOf(text).host)
  return port && !/^\d*$/.test(port[1]!) ? problem(`invalid port ${quote(port[0])} after host`) : undefined
}

export function validateWebhookService(service: ServiceReference, path: FieldPath): readonly field.FieldError[] {
  const { name, namespace, path: urlPath = '', port = 443 } = service
  const errors: field.FieldError[] = []
  // Upstream swaps the paths: a missing namespace is reported for the name, and vice versa.
  if (!namespace) errors.push(field.required(path.child('name')))
  if (!name) errors.push(field.required(path.child('namespace')))
  const messages = portNumber(port)
  if (messages.length > 0)
    errors.push(field.invalid(path.child('port'), port, `port is not valid: ${messages.join(', ')}`))
  return [...errors, ...validateUrlPath(urlPath, path.child('path'))]
}

function validateUrlPath(text: string, path: FieldPath): readonly field.FieldError[] {
  if (text === '' || text === '/') return field.none
  if (text === '//') return [field.invalid(path, text, 'segment[0] may not be empty')]
  const errors = text.startsWith('/') ? [] : [field.invalid(path, text, "must start with a '/'")]
  const segments = text.slice(1).replace(/\/$/, '').split('/')
  for (const [i, segment] of segments.entries())
    if (segment === '') errors.push(field.invalid(path, text, `segment[${i}] may not be empty`))
    else errors.push(...dnsSubdomain(segment).map((message) => field.invalid(path, text, `segment[${i}]: ${message}`)))
  return errors
}
