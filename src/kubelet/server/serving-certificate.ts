import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Environment } from '../../base/environment.js'
import { issue } from '../../wire/x509/certificate.js'
import type { X509KeyPair } from '../../wire/x509/issuer.js'

export interface ServingCertificateOptions {
  /** The `pki` folder of the kubelet. */
  readonly folder: string
  readonly nodeName: string
  /** Names and addresses of the kubelet, besides the node name. */
  readonly hosts: readonly string[]
  /** Signs the certificate. If undefined, it is self-signed. */
  readonly authority?: X509KeyPair
}

const year = 365 * 24 * 60 * 60_000

/** Returns the stored serving certificate, or issues a new one if it is missing, expires soon or does not match. */
export function servingCertificate(options: ServingCertificateOptions, environment: Environment): X509KeyPair {
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
  { cert, key }: X509KeyPair,
  hosts: readonly string[],
  authority: X509KeyPair | undefined,
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

function readPair(folder: string): X509KeyPair | undefined {
  try {
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    return { cert: read('kubelet.crt'), key: read('kubelet.key') }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes the key first. After an interruption the pair does not match, and both are issued again. */
function writePair(folder: string, { cert, key }: X509KeyPair): void {
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
