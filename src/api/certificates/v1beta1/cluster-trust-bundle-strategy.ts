import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { type Messages, noMessages } from '../../../schema/names.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { subdomainName } from '../../metadata/name-validation.js'
import { pemBlocks } from '../../pem.js'
import { validateImmutable } from '../../validation/immutability.js'
import { readCertificate } from '../v1/certificate-signing-request-validation.js'
import { validateSignerName } from '../v1/signer-names.js'
import { ClusterTrustBundle } from './cluster-trust-bundle.js'

const bundlePath = fieldPath('spec', 'trustBundle')
const signerPath = fieldPath('spec', 'signerName')
const largestBundle = 1024 * 1024

export const clusterTrustBundleStrategy = declareStrategy<ClusterTrustBundle>(ClusterTrustBundle, {
  /** Validated with the object, because the name depends on the signer. */
  name: () => noMessages,
  updatedUnconditionally: false,
  validate: (bundle) => [...validateNames(bundle), ...validateBundle(bundle.spec.trustBundle)],
  validateUpdate: (bundle, old) => [
    ...validateNames(bundle),
    ...(bundle.spec.trustBundle === old.spec.trustBundle ? [] : validateBundle(bundle.spec.trustBundle)),
    ...validateImmutable(bundle.spec.signerName, old.spec.signerName, signerPath),
  ],
  fields: { 'spec.signerName': ({ spec }) => spec.signerName ?? '' },
})

function validateNames({ metadata, spec: { signerName = '' } }: ClusterTrustBundle): readonly field.FieldError[] {
  const { name = '', generateName = '' } = metadata
  return [
    ...(generateName === ''
      ? []
      : field.invalidForEach(
          fieldPath('metadata', 'generateName'),
          generateName,
          nameMessages(generateName, signerName, true),
        )),
    ...(name === ''
      ? []
      : field.invalidForEach(fieldPath('metadata', 'name'), name, nameMessages(name, signerName, false))),
    ...(signerName === '' ? [] : validateSignerName(signerName, signerPath)),
  ]
}

/** Names of bundles of a signer start with its name: `example.com:signer:`. */
function nameMessages(name: string, signerName: string, isPrefix: boolean): Messages {
  if (signerName === '')
    return name.includes(':')
      ? ['ClusterTrustBundle without signer name must not have ":" in its name']
      : subdomainName(name, isPrefix)
  const prefix = `${signerName.replaceAll('/', ':')}:`
  if (name.startsWith(prefix)) return subdomainName(name.slice(prefix.length), isPrefix)
  return [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`]
}

function validateBundle(bundle: string): readonly field.FieldError[] {
  if (Buffer.byteLength(bundle) > largestBundle) return [field.tooLong(bundlePath, largestBundle)]
  const blocks = pemBlocks(bundle)
  const problems = blocks.flatMap(({ type, hasHeaders, bytes }, i) => {
    if (type !== 'CERTIFICATE') return [`entry ${i} has bad block type: ${type}`]
    if (hasHeaders) return [`entry ${i} has PEM block headers`]
    const certificate = readCertificate(bytes)
    if (!certificate) return [`entry ${i} does not parse as X.509`]
    return certificate.ca ? [] : [`entry ${i} does not have the CA bit set`]
  })
  if (blocks.length === 0) problems.push('at least one trust anchor must be provided')
  if (problems.length === 0) problems.push(...repeatedAnchors(blocks.map(({ bytes }) => bytes.toString('latin1'))))
  return problems.map((detail) => field.invalid(bundlePath, '<value omitted>', detail))
}

function repeatedAnchors(anchors: readonly string[]): readonly string[] {
  return [...new Set(anchors)].flatMap((anchor) => {
    const places = [...anchors.keys()].filter((i) => anchors[i] === anchor)
    return places.length > 1 ? [`duplicate trust anchor (indices [${places.join(' ')}])`] : []
  })
}
