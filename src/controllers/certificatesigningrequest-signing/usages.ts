/** What keys may be used for, by the number of the bit that says so in a certificate. */
const keyBits: Readonly<Record<string, number>> = {
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

/** What certificates may be used for beyond that; in the order in which they are written down. */
const extendedIds: Readonly<Record<string, string>> = {
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

/** Throws where one is not known, which the API server does not let happen. */
export function certificateUsages(usages: readonly string[]): CertificateUsages {
  const unknown = usages.filter((usage) => !Object.hasOwn(keyBits, usage) && !Object.hasOwn(extendedIds, usage))
  if (unknown.length > 0) throw new Error(`unrecognized usage values: ${unknown.join(', ')}`)
  const wanted = new Set(usages)
  const chosen = <T>(all: Readonly<Record<string, T>>) =>
    [...new Set(Object.keys(all).filter((usage) => wanted.has(usage)))].map((usage) => all[usage]!)
  return { keyBits: [...new Set(chosen(keyBits))], extendedIds: [...new Set(chosen(extendedIds))] }
}
