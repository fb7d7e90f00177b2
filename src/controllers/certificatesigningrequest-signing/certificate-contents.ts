import type { ParsedCertificateRequest } from '../../api/certificates/v1/certificate-request.js'
import type { Der } from '../../base/der.js'
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
import type { Validity } from './validity.js'

/** Country, organization, organizational unit, locality, province, street and postal code: any number of each. Others are dropped. */
const repeatable = ['2.5.4.6', '2.5.4.10', '2.5.4.11', '2.5.4.7', '2.5.4.8', '2.5.4.9', '2.5.4.17']
/** Common name and serial number: the last one counts. */
const single = ['2.5.4.3', '2.5.4.5']

export interface GrantedCertificate extends Validity {
  readonly usages: readonly string[]
  readonly issuer: Pick<Issuer, 'keyIdentifier'>
}

/** The content of the certificate for an approved request. */
export function certificateContents(
  request: ParsedCertificateRequest,
  { usages, issuer, notBefore, notAfter }: GrantedCertificate,
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

/** Bits of the key usage extension. */
const keyUsageBits: Readonly<Record<string, number>> = {
  signing: 0,
  'digital signature': 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
  'decipher only': 8,
}

/** Identifiers of the extended key usage extension, in the order in which they are written. */
const extendedUsageIds: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
}

export interface CertificateUsages {
  readonly keyBits: readonly number[]
  readonly extendedIds: readonly string[]
}

/** Throws for an unknown usage, which the API server rejects. */
export function certificateUsages(usages: readonly string[]): CertificateUsages {
  const isKnown = (usage: string) => Object.hasOwn(keyUsageBits, usage) || Object.hasOwn(extendedUsageIds, usage)
  const unknown = usages.filter((usage) => !isKnown(usage))
  if (unknown.length > 0) throw new Error(`unrecognized usage values: ${unknown.join(', ')}`)
  const requested = new Set(usages)
  const chosen = <T>(all: Readonly<Record<string, T>>) => [
    ...new Set(Object.keys(all).flatMap((usage) => (requested.has(usage) ? [all[usage]!] : []))),
  ]
  return { keyBits: chosen(keyUsageBits), extendedIds: chosen(extendedUsageIds) }
}
