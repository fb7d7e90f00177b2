import type { Environment } from '../../base/environment.js'
import { quote } from '../../schema/quote.js'
import { basicAuthorization } from '../../wire/http/proxy-tunnel.js'
import type { ConnectionConfig } from '../connection-config.js'
import type { HostAccess } from '../host-access.js'
import type { AuthProvider, KubeconfigCluster, KubeconfigUser } from '../kubeconfig/kubeconfig.js'
import { bearer, type Credential, type CredentialSource, fixedCredential } from './credential.js'
import { ExecPluginSource } from './exec-plugin.js'
import { type CertificateFiles, certificateFiles, type PemSource, readPem, tokenFile } from './files.js'
import { OpenIdSource } from './open-id.js'

export interface CredentialDependencies {
  readonly host: HostAccess
  readonly environment: Pick<Environment, 'clock' | 'log'>
}

/** Returns the credentials of a connection's user. A plugin is used only if there is nothing else. */
export function userCredentials(connection: ConnectionConfig, dependencies: CredentialDependencies): CredentialSource {
  const { user } = connection
  const sources = [...certificateSources(user, dependencies), ...headerSources(connection, dependencies)]
  if (sources.length === 0 && user.exec) return pluginSource(connection, dependencies)
  return sources.length === 1 ? sources[0]! : combined(sources)
}

function certificateSources(user: KubeconfigUser, { host: { files }, environment }: CredentialDependencies) {
  const parts = certificateParts(user)
  if (!parts) return []
  return [certificateFiles(parts, { files, environment })]
}

function certificateParts(user: KubeconfigUser): CertificateFiles | undefined {
  const cert = pemSource(user['client-certificate-data'], user['client-certificate'])
  const key = pemSource(user['client-key-data'], user['client-key'])
  return cert && key && { cert, key }
}

/** Data in the kubeconfig takes precedence over a file. */
export function pemSource(data: string | undefined, path: string | undefined): PemSource | undefined {
  if (data) return { pem: Buffer.from(data, 'base64').toString() }
  return path ? { path } : undefined
}

function headerSources(connection: ConnectionConfig, { host, environment }: CredentialDependencies) {
  const { files, variables } = host
  const { user, persist } = connection
  if (user.tokenFile) return [tokenFile(user.tokenFile, { files, environment }, user.token)]
  if (user.token) return [fixedCredential({ authorization: bearer(user.token) })]
  if (user.username || user.password)
    return [fixedCredential({ authorization: basicAuthorization(user.username ?? '', user.password ?? '') })]
  const provider = user['auth-provider']
  if (!provider) return []
  checkProvider(provider)
  return [new OpenIdSource(provider.config ?? {}, { files, variables, environment, persist })]
}

const removed: Readonly<Record<string, string>> = {
  gcp: `The gcp auth plugin has been removed.
Please use the "gke-gcloud-auth-plugin" kubectl/client-go credential plugin instead.
See https://cloud.google.com/blog/products/containers-kubernetes/kubectl-auth-changes-in-gke for further details`,
  azure: `The azure auth plugin has been removed.
Please use the https://github.com/Azure/kubelogin kubectl/client-go credential plugin instead.
See https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins for further details`,
}

function checkProvider({ name = '' }: AuthProvider): void {
  if (name !== 'oidc') throw new Error(removed[name] ?? `no Auth Provider found for name ${quote(name)}`)
}

function pluginSource({ user, cluster }: ConnectionConfig, { host, environment }: CredentialDependencies) {
  return new ExecPluginSource(user.exec!, { host, environment, cluster: () => clusterInfo(cluster, host) })
}

/** Cluster extensions under this name are meant for plugins. */
const pluginExtension = 'client.authentication.k8s.io/exec'

async function clusterInfo(cluster: KubeconfigCluster, { files }: HostAccess): Promise<object> {
  const { server, extensions } = cluster
  const authority = pemSource(cluster['certificate-authority-data'], cluster['certificate-authority'])
  const config = extensions?.get(pluginExtension)
  return {
    server,
    ...(cluster['tls-server-name'] && { 'tls-server-name': cluster['tls-server-name'] }),
    ...(cluster['insecure-skip-tls-verify'] && { 'insecure-skip-tls-verify': true }),
    ...(authority && { 'certificate-authority-data': base64(await readPem(authority, files)) }),
    ...(cluster['proxy-url'] && { 'proxy-url': cluster['proxy-url'] }),
    ...(cluster['disable-compression'] && { 'disable-compression': true }),
    config: config ?? null,
  }
}

function base64(pem: string): string {
  return Buffer.from(pem).toString('base64')
}

/** Combines the credentials of several sources. */
function combined(sources: readonly CredentialSource[]): CredentialSource {
  let parts: readonly Credential[] = []
  let whole: Credential = {}
  return {
    async current(signal) {
      const now = await Promise.all(sources.map((source) => source.current(signal)))
      if (now.some((part, index) => part !== parts[index])) whole = Object.assign({}, ...now)
      parts = now
      return whole
    },
    async rejected(credential, signal) {
      if (credential !== whole) return
      const shown = parts
      await Promise.all(sources.map((source, index) => source.rejected(shown[index] ?? {}, signal)))
    },
  }
}
