import type { Connection } from '../connection.js'
import { fileError } from '../file-error.js'
import { isMissing, type Machine } from '../machine.js'

/** Where the kubelet puts what a pod needs to talk to the server as its service account. */
const folder = '/var/run/secrets/kubernetes.io/serviceaccount'
const tokenFile = `${folder}/token`
const authorityFile = `${folder}/ca.crt`
const namespaceFile = `${folder}/namespace`

type Surroundings = Pick<Machine, 'variables' | 'files'>

/** Whether this runs in a pod that may talk to its server. */
export async function isInCluster({ variables, files }: Surroundings): Promise<boolean> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = variables
  return Boolean(host && port) && (await files.exists(tokenFile))
}

/** As the service account of the pod that this runs in. The token is read again and again: the kubelet renews it. */
export async function inClusterConnection(machine: Surroundings): Promise<Connection> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = machine.variables
  if (!host || !port)
    throw new Error(
      'unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined',
    )
  await machine.files.read(tokenFile).catch((error: unknown) => {
    throw fileError('open', tokenFile, error)
  })
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  const hasAuthority = await machine.files.exists(authorityFile)
  return {
    server,
    namespace: await ownNamespace(machine),
    cluster: { server, ...(hasAuthority && { 'certificate-authority': authorityFile }) },
    user: { tokenFile },
  }
}

async function ownNamespace({ variables, files }: Surroundings): Promise<string> {
  const { POD_NAMESPACE: named } = variables
  if (named) return named
  try {
    return (await files.read(namespaceFile)).trim() || 'default'
  } catch (error) {
    if (isMissing(error)) return 'default'
    throw error
  }
}
