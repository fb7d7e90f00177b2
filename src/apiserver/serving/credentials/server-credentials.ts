import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../../base/environment.js'
import { systemRandom } from '../../../base/random.js'
import type { X509KeyPair } from '../../../wire/x509/issuer.js'
import type { ApiServerOptions } from '../../options.js'
import type { KubeletTls } from '../../registry/nodes/kubelet-client.js'
import { isUnspecified, servingHosts } from '../host-addresses.js'
import type { ListeningServer, ServerTlsOptions } from '../server.js'
import { CredentialFiles } from './credential-files.js'
import { type ClientCredential, type Pki, PkiError, preparePki } from './pki.js'

type ServerCredentialOptions = Pick<
  ApiServerOptions,
  | 'dataDirectory'
  | 'isPassing'
  | 'bindAddress'
  | 'advertiseAddress'
  | 'tls'
  | 'services'
  | 'serviceAccounts'
  | 'authentication'
  | 'kubelets'
>

/** Keys and certificates of a server, from the files that flags name or created in the data directory. */
export interface ServerCredentials {
  readonly tls: ServerTlsOptions
  /** The CA by which clients verify the server, in PEM form. */
  readonly authority: string
  /** The CAs of clients and of front proxies, in PEM form. */
  readonly clientAuthority: string
  readonly frontProxyAuthority: string | undefined
  /** Empty if the client CA is given by a flag: it has not signed our certificates. */
  readonly clients: readonly ClientCredential[]
  /** The client certificate of this server for kubelets, and their CA; in PEM form. */
  readonly kubelets: KubeletTls
  /** The key that signs tokens of service accounts, in PEM form. */
  readonly serviceAccountKey: string
  /** The CA that can sign further client certificates. Undefined if a flag gives the client CA. */
  readonly signing: X509KeyPair | undefined
}

/** Reads the credentials and creates missing ones. Throws file errors and `PkiError`. */
export function prepareServerCredentials(
  options: ServerCredentialOptions,
  environment: Environment,
): ServerCredentials {
  const { certFile, keyFile, clientCaFile } = options.tls
  const { signingKeyFile } = options.serviceAccounts
  const given = certFile !== undefined && keyFile !== undefined && readPair(certFile, keyFile)
  const { isPassing } = options
  const folder = join(options.dataDirectory, 'pki')
  // Keys never come from a seed. And a seeded run must draw the same values whether or not the keys exist.
  const unrepeatable = { ...environment, random: systemRandom() }
  const made = () => preparePki({ folder, hosts: hostsOf(options), isPassing }, unrepeatable)
  const { frontProxy } = options.authentication
  const frontProxyAuthority = frontProxy && readAuthorities(frontProxy.caFile)
  const known = (clientAuthority: string) => ({ clientAuthority, frontProxyAuthority })
  if (given && clientCaFile !== undefined && signingKeyFile !== undefined) {
    const clientAuthority = readAuthorities(clientCaFile)
    return {
      tls: { ...given, clientCa: together(clientAuthority, frontProxyAuthority) },
      ...known(clientAuthority),
      authority: given.cert,
      clients: [],
      kubelets: kubeletFiles(options),
      serviceAccountKey: read(signingKeyFile),
      signing: undefined,
    }
  }
  const pki = made()
  const clientAuthority = clientCaFile === undefined ? pki.authority : readAuthorities(clientCaFile)
  return {
    tls: { ...(given || pki.serving), clientCa: together(clientAuthority, frontProxyAuthority) },
    ...known(clientAuthority),
    authority: given ? given.cert : pki.authority,
    clients: clientCaFile === undefined ? pki.clients : [],
    kubelets: kubeletFiles(options, pki.kubeletClient),
    serviceAccountKey: signingKeyFile === undefined ? pki.serviceAccountKey : read(signingKeyFile),
    signing: clientCaFile === undefined ? signingPair(pki) : undefined,
  }
}

function kubeletFiles({ kubelets = {} }: ServerCredentialOptions, made?: X509KeyPair): KubeletTls {
  const { clientCertFile, clientKeyFile, caFile } = kubelets
  const isGiven = clientCertFile !== undefined && clientKeyFile !== undefined
  return {
    credential: isGiven ? readPair(clientCertFile, clientKeyFile) : made,
    authority: caFile === undefined ? undefined : readAuthorities(caFile),
  }
}

function signingPair({ authority, authorityKey }: Pki): X509KeyPair | undefined {
  return authorityKey === undefined ? undefined : { cert: authority, key: authorityKey }
}

/** The handshake accepts any CA; authentication checks later which one it was. */
function together(...bundles: readonly (string | undefined)[]): string {
  return bundles.filter((bundle) => bundle !== undefined).join('\n')
}

function readPair(certFile: string, keyFile: string): X509KeyPair {
  const pair = { key: read(keyFile), cert: read(certFile) }
  checkCertificates(pair.cert, certFile)
  if (!isKeyOf(pair))
    throw new PkiError(`${keyFile} is not the key of ${certFile}; name two files that belong together`)
  return pair
}

/** Checks the first certificate of the file. */
function checkCertificates(pem: string, file: string): void {
  try {
    new X509Certificate(pem)
  } catch {
    throw new PkiError(`there is no certificate in ${file}; name a file in PEM form`)
  }
}

function isKeyOf({ key, cert }: X509KeyPair): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false // not a key, or encrypted with a passphrase
  }
}

function readAuthorities(file: string): string {
  const pem = read(file)
  checkCertificates(pem, file)
  return pem
}

function read(file: string): string {
  return readFileSync(file, 'utf8')
}

function hostsOf({ services, advertiseAddress, bindAddress }: ServerCredentialOptions): string[] {
  const advertised = [advertiseAddress ?? [], isUnspecified(bindAddress) ? [] : bindAddress].flat()
  return servingHosts(services.clusterIpRanges, advertised)
}

/** Returns the URL of the server for clients on this host. */
export function urlOf(server: ListeningServer, { bindAddress }: ServerCredentialOptions): string {
  const address = isUnspecified(bindAddress) ? '127.0.0.1' : bindAddress
  return `https://${address.includes(':') ? `[${address}]` : address}:${server.port}`
}

/** Much shorter than the remaining life of a certificate that is renewed. In milliseconds. */
const interval = 60_000
/** No one replaces the files of a test server. */
const passingInterval = 3_600_000

/**
 * Keeps the certificates of a running server current: renews its own before they expire, reloads files that change, and updates the
 * kubeconfigs. Logs a failure and tries again.
 */
export function renewServerCredentials(
  first: ServerCredentials,
  server: ListeningServer,
  options: ServerCredentialOptions,
  environment: Environment,
): RenewedCredentials {
  const load = () => prepareServerCredentials(options, environment)
  const delay = options.isPassing ? passingInterval : interval
  let current = first
  const renew = () => {
    timer = environment.clock.timer(delay, renew)
    try {
      const next = load()
      if (isSame(next, current)) return
      server.setTls(next.tls)
      writeKubeconfigs(next, server, options)
      current = next
      environment.log.info('server certificates changed')
    } catch (error) {
      environment.log.error('renewal of server certificates failed', { error })
    }
  }
  let timer = environment.clock.timer(delay, renew)
  writeKubeconfigs(first, server, options)
  return {
    get current() {
      return current
    },
    stop: () => timer.cancel(),
  }
}

export interface RenewedCredentials {
  readonly current: ServerCredentials
  stop(): void
}

function isSame(left: ServerCredentials, right: ServerCredentials): boolean {
  const { key, cert, clientCa } = left.tls
  const isSameTls = key === right.tls.key && cert === right.tls.cert && clientCa === right.tls.clientCa
  const certificates = ({ clients }: ServerCredentials) => clients.map(({ credential }) => credential.cert).join('\n')
  return isSameTls && certificates(left) === certificates(right)
}

/** Returns the path of the administrator's kubeconfig, if there is one. */
export function kubeconfigPath(
  { clients }: ServerCredentials,
  { dataDirectory }: ServerCredentialOptions,
): string | undefined {
  return clients.length === 0 ? undefined : join(dataDirectory, 'admin.kubeconfig')
}

/** Writes a kubeconfig for the administrator and for each component. */
function writeKubeconfigs(
  { clients, authority }: ServerCredentials,
  server: ListeningServer,
  options: ServerCredentialOptions,
): void {
  const files = new CredentialFiles(options.dataDirectory, options)
  for (const { name, user, credential } of clients) {
    const content = kubeconfigOf({ server: urlOf(server, options), authority, user, credential })
    if (files.read(`${name}.kubeconfig`) !== content) files.write(`${name}.kubeconfig`, content)
  }
}

export interface KubeconfigOptions {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  /** The CA by which clients verify the server, in PEM form. */
  readonly authority: string
  readonly user: string
  readonly credential: X509KeyPair
}

/** Returns a kubeconfig. It contains a private key. */
export function kubeconfigOf({ server, authority, user, credential }: KubeconfigOptions): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: proa
  cluster:
    server: ${server}
    certificate-authority-data: ${base64(authority)}
users:
- name: ${user}
  user:
    client-certificate-data: ${base64(credential.cert)}
    client-key-data: ${base64(credential.key)}
contexts:
- name: proa
  context:
    cluster: proa
    user: ${user}
current-context: proa
`
}

function base64(pem: string): string {
  return Buffer.from(pem).toString('base64')
}
