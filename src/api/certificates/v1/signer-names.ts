import * as field from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import { dnsLabel, dnsSubdomain, type Messages } from '../../../schema/names.js'
import { quote } from '../../../schema/quote.js'

const maximumDomain = 253
/** A domain, a slash, and room for a label, a dot and a subdomain. */
const maximumName = maximumDomain + 1 + 253 + 63 + 1

/** Validates the name of a signer: a domain of at least two parts and a path, `example.com/signer`. */
export function validateSignerName(name: string, path: FieldPath): readonly field.FieldError[] {
  if (name === '') return [field.required(path)]
  const segments = name.split('/')
  if (segments.length !== 2)
    return [
      field.invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ]
  const [domain, rest] = segments as [string, string]
  const errors: field.FieldError[] = []
  if (Buffer.byteLength(domain) > maximumDomain) errors.push(field.tooLong(path, maximumDomain))
  errors.push(...labelErrors(domain, path, dnsLabel))
  if (!domain.includes('.'))
    errors.push(field.invalid(path, domain, 'should be a domain with at least two segments separated by dots'))
  errors.push(...labelErrors(rest, path, dnsSubdomain))
  if (Buffer.byteLength(name) > maximumName) errors.push(field.tooLong(path, maximumName))
  return errors
}

/** Reports only the first invalid label. */
function labelErrors(text: string, path: FieldPath, rule: (label: string) => Messages): readonly field.FieldError[] {
  const wrong = text.split('.').find((label) => rule(label).length > 0)
  if (wrong === undefined) return field.none
  return rule(wrong).map((message) => field.invalid(path, text, `validating label ${quote(wrong)}: ${message}`))
}

/** Signers of Kubernetes itself. */
export function isKubernetesSigner(name: string): boolean {
  const domain = name.slice(0, Math.max(name.indexOf('/'), 0))
  return domain === 'kubernetes.io' || domain.endsWith('.kubernetes.io')
}
