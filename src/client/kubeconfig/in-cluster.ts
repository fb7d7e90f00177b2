import type { ConnectionConfig } from '../connection-config.js'
import { fileError, type HostAccess, isMissing } from '../host-access.js'

/** The directory where the kubelet mounts the credentials of a pod's service account. */
const folder = '/var/run/secrets/kubernetes.io/serviceaccount'
const tokenFile = `${folder}/token`
const authorityFile = `${folder}/ca.crt`
const namespaceFile = `${folder}/namespace`

type PodHost = Pick<HostAccess, 'variables' | 'files'>

/** Reports whether this process runs in a pod with a mounted service account. */
export async function isInCluster({ variables, files }: PodHost): Promise<boolean> {
  const { KUBERNETES_SERVICE_HOST: address, KUBERNETES_SERVICE_PORT: port } = variables
  return Boolean(address && port) && (await files.exists(tokenFile))
}

/** Returns a connection as the service account of this pod. The token file is read again and again, because the kubelet renews it. */
export async function inClusterConnection(host: PodHost): Promise<ConnectionConfig> {
  const { KUBERNETES_SERVICE_HOST: address, KUBERNETES_SERVICE_PORT: port } = host.variables
  if (!address || !port)
    throw new Error(
      'unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined',
    )
  await host.files.read(tokenFile).catch((error: unknown) => {
    throw fileError('open', tokenFile, error)
  })
  const server = `https://${address.includes(':') ? `[${address}]` : address}:${port}`
  const hasAuthority = await host.files.exists(authorityFile)
  return {
    server,
    namespace: await ownNamespace(host),
    cluster: { server, ...(hasAuthority && { 'certificate-authority': authorityFile }) },
    user: { tokenFile },
  }
}

async function ownNamespace({ variables, files }: PodHost): Promise<string> {
  const { POD_NAMESPACE: named } = variables
  if (named) return named
  try {
    return (await files.read(namespaceFile)).trim() || 'default'
  } catch (error) {
    if (isMissing(error)) return 'default'
    throw error
  }
}
