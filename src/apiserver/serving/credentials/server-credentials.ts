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

/** What a server shows to its clients, and by what it knows them: from the files that flags name, or made for it. */
export interface ServerCredentials {
  readonly tls: ServerTlsOptions
  /** By which clients know the server, in PEM form. */
  readonly authority: string
  /** By which clients, and proxies that speak for them, are known; in PEM form. */
  readonly clientAuthority: string
  readonly frontProxyAuthority: string | undefined
  /** None where an authority is given: it did not sign anything of ours. */
  readonly clients: readonly ClientCredential[]
  /** What this server shows to kubelets, and by what it knows them; in PEM form. */
  readonly kubelets: KubeletTls
  /** Signs the tokens of service accounts; in PEM form. */
  readonly serviceAccountKey: string
  /** By which further certificates of clients can be signed. Undefined where that is somebody else's authority. */
  readonly signing: X509KeyPair | undefined
}

/** Reads what there is and makes what is missing, each time it is called. Throws what reading files throws, and `PkiError`. */
export function prepareServerCredentials(
  options: ServerCredentialOptions,
  environment: Environment,
): ServerCredentials {
  const { certFile, keyFile, clientCaFile } = options.tls
  const { signingKeyFile } = options.serviceAccounts
  const given = certFile !== undefined && keyFile !== undefined && readPair(certFile, keyFile)
  const { isPassing } = options
  const folder = join(options.dataDirectory, 'pki')
  // Nobody may be able to draw the same again; and who repeats a run from a seed does so whether keys were there already or not.
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

/** A handshake accepts any of them; which one it was matters later. */
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

/** At least the first one of the file. */
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
    return false // no key, or none that can be read without a passphrase
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

/** How a client on this machine reaches the server. */
export function urlOf(server: ListeningServer, { bindAddress }: ServerCredentialOptions): string {
  const address = isUnspecified(bindAddress) ? '127.0.0.1' : bindAddress
  return `https://${address.includes(':') ? `[${address}]` : address}:${server.port}`
}

/** Far less than what is left of a certificate when it is renewed, and soon enough for one that somebody else renews. */
const interval = 60_000
/** Nobody else writes into the folder of a server that is gone after its test. */
const passingInterval = 3_600_000

/**
 * Keeps a server's certificates current while it runs: those made here are renewed before they end, those in files are read
 * again when they change, and no restart is needed. The administrator's kubeconfig follows. A failure is logged, and tried again.
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
  const look = () => {
    timer = environment.clock.timer(delay, look)
    try {
      const next = load()
      if (isSame(next, current)) return
      server.setTls(next.tls)
      writeKubeconfigs(next, server, options)
      current = next
      environment.log.info('the certificates of the server were changed')
    } catch (error) {
      environment.log.error('the certificates of the server could not be brought up to date', { error })
    }
  }
  let timer = environment.clock.timer(delay, look)
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

/** Where the administrator's kubeconfig is, if there is one. */
export function kubeconfigPath(
  { clients }: ServerCredentials,
  { dataDirectory }: ServerCredentialOptions,
): string | undefined {
  return clients.length === 0 ? undefined : join(dataDirectory, 'admin.kubeconfig')
}

/** One for the administrator, and one for each component. */
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

export interface KubeconfigParts {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  /** The certificate by which clients know the server, in PEM form. */
  readonly authority: string
  readonly user: string
  readonly credential: X509KeyPair
}

/** How a client gets in. Holds a secret key. */
export function kubeconfigOf({ server, authority, user, credential }: KubeconfigParts): string {
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
