import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Environment } from '../../base/environment.js'
import { issue } from '../../wire/x509/certificate.js'
import type { Credential } from '../../wire/x509/issuer.js'

export interface ServingCertificateOptions {
  /** Where it is kept: `pki` in the kubelet's folder. */
  readonly folder: string
  readonly nodeName: string
  /** Under which the kubelet is reached, besides the node's name. */
  readonly hosts: readonly string[]
  /** Who signs it; without one, it vouches for itself, and who wants to know must be told of it. */
  readonly authority?: Credential
}

const year = 365 * 24 * 60 * 60_000

/** The certificate that the kubelet serves with: the one in its folder, or a new one where that is missing, ends soon or does not fit. */
export function servingCertificate(options: ServingCertificateOptions, environment: Environment): Credential {
  const { folder, nodeName, authority } = options
  const hosts = [...new Set([nodeName, ...options.hosts, 'localhost', '127.0.0.1', '::1'])]
  const known = readPair(folder)
  if (known && isFit(known, hosts, authority, environment)) return known
  const notAfter = environment.clock.now() + year
  const request = { commonName: `system:node:${nodeName}`, organizations: ['system:nodes'], notAfter }
  const made = issue({ ...request, use: 'server', hosts }, environment, authority)
  writePair(folder, made)
  return made
}

function isFit(
  { cert, key }: Credential,
  hosts: readonly string[],
  authority: Credential | undefined,
  { clock }: Environment,
): boolean {
  const certificate = new X509Certificate(cert)
  const [start, end] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  const signer = new X509Certificate(authority?.cert ?? cert).publicKey
  return (
    end - clock.now() > (end - start) / 3 &&
    certificate.checkPrivateKey(createPrivateKey(key)) &&
    certificate.verify(signer) &&
    hosts.every((host) => (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined)
  )
}

function readPair(folder: string): Credential | undefined {
  try {
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    return { cert: read('kubelet.crt'), key: read('kubelet.key') }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The key first: where it stops between the two, they do not fit, and both are made anew. */
function writePair(folder: string, { cert, key }: Credential): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const [name, content] of [
    ['kubelet.key', key],
    ['kubelet.crt', cert],
  ] as const) {
    const path = join(folder, name)
    writeFileSync(`${path}.new`, content, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
}
