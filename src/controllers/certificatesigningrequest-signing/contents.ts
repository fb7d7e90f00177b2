import type { CertificateRequest } from '../../api/certificates/v1/certificate-request.js'
import type { Der } from '../../wire/x509/der.js'
import {
  alternativeNames,
  authorityKey,
  basicConstraints,
  extendedUsage,
  keyUsage,
} from '../../wire/x509/extensions.js'
import type { Issuer } from '../../wire/x509/issuer.js'
import type { CertificateContent } from '../../wire/x509/signed-certificate.js'
import { subjectOf } from '../../wire/x509/subject.js'
import { certificateUsages } from './usages.js'
import type { Validity } from './validity.js'

/** Country, organization, its unit, locality, province, street and postal code: any number of each. What else stands there is dropped. */
const repeatable = ['2.5.4.6', '2.5.4.10', '2.5.4.11', '2.5.4.7', '2.5.4.8', '2.5.4.9', '2.5.4.17']
/** The common name and the serial number: the last one counts. */
const single = ['2.5.4.3', '2.5.4.5']

export interface Granted extends Validity {
  readonly usages: readonly string[]
  readonly issuer: Pick<Issuer, 'keyIdentifier'>
}

/** What a certificate says that was asked for and approved. */
export function contentsOf(
  request: CertificateRequest,
  { usages, issuer, notBefore, notAfter }: Granted,
): CertificateContent {
  const valuesOf = (attribute: string) =>
    request.subject.filter(({ type }) => type === attribute).map(({ value }) => value)
  const subject = subjectOf([
    ...repeatable.map((attribute) => ({ attribute, values: valuesOf(attribute) })),
    ...single.map((attribute) => ({ attribute, values: valuesOf(attribute).slice(-1) })),
  ])
  const { publicKey, alternativeNames: names } = request
  const hasNames = Object.values(names).some((some) => some.length > 0)
  const extensions = [
    ...usageExtensions(usages),
    basicConstraints(false),
    authorityKey(issuer.keyIdentifier),
    ...(hasNames ? [alternativeNames(names, subject.equals(subjectOf([])))] : []),
  ]
  return { subject, publicKey, notBefore, notAfter, extensions }
}

function usageExtensions(usages: readonly string[]): readonly Der[] {
  const { keyBits, extendedIds } = certificateUsages(usages)
  return [
    ...(keyBits.length > 0 ? [keyUsage(keyBits)] : []),
    ...(extendedIds.length > 0 ? [extendedUsage(extendedIds)] : []),
  ]
}
