import { quote } from '../../schema/quote.js'
import { type Files, fileError } from '../host-access.js'
import { proxyProblem, withoutPassword } from '../https/proxy-url.js'
import type { Choice } from './choose.js'
import { ConfigurationError, EmptyConfigurationError } from './configuration-error.js'
import type { ExecPlugin, Kubeconfig, KubeconfigCluster, KubeconfigUser } from './kubeconfig.js'

const noServer = 'cluster has no server defined'

/** Throws with all problems of the chosen cluster, user and context. */
export async function checkUsable(config: Kubeconfig, choice: Choice, files: Pick<Files, 'read'>): Promise<void> {
  const { contextName, clusterName, cluster, userName, user } = choice
  const isLost = contextName !== '' && !config.contexts.has(contextName)
  const problems = [
    ...(isLost ? [`context was not found for specified context: ${contextName}`] : []),
    ...(await userProblems(userName, user, files)),
    ...(await clusterProblems(clusterName, cluster, files)),
  ]
  if (problems.length === 1 && problems[0] === noServer) throw new EmptyConfigurationError()
  if (problems.length > 0) throw new ConfigurationError(problems)
}

async function clusterProblems(
  name: string,
  cluster: KubeconfigCluster,
  files: Pick<Files, 'read'>,
): Promise<readonly string[]> {
  if (Object.keys(cluster).length === 0) return [noServer]
  const { server = '', 'proxy-url': proxy = '', 'certificate-authority': authority = '' } = cluster
  const problem = proxyProblem(proxy)
  return [
    ...(server === ''
      ? [name === '' ? 'default cluster has no server defined' : `no server found for cluster ${quote(name)}`]
      : []),
    ...(problem ? [`invalid 'proxy-url' ${quote(withoutPassword(proxy))} for cluster ${quote(name)}: ${problem}`] : []),
    ...(authority && cluster['certificate-authority-data']
      ? [
          `certificate-authority-data and certificate-authority are both specified for ${name}. certificate-authority-data will override.`,
        ]
      : []),
    ...(await unreadable('certificate-authority', authority, name, files)),
  ]
}

async function userProblems(
  name: string,
  user: KubeconfigUser,
  files: Pick<Files, 'read'>,
): Promise<readonly string[]> {
  const methods = [...(user.token ? ['token'] : []), ...(user.username || user.password ? ['basicAuth'] : [])]
  const isInCompany = (user['as-groups'] ?? []).length > 0 || Object.keys(user['as-user-extra'] ?? {}).length > 0
  return [
    ...(await certificateProblems(name, user, files)),
    ...(user.exec ? execProblems(name, user.exec, user['auth-provider'] !== undefined) : []),
    ...(methods.length > 1
      ? [`more than one authentication method found for ${name}; found [${methods.join(' ')}], only one is allowed`]
      : []),
    ...(isInCompany && !user.as ? [`requesting groups or user-extra for ${name} without impersonating a user`] : []),
  ]
}

async function certificateProblems(
  name: string,
  user: KubeconfigUser,
  files: Pick<Files, 'read'>,
): Promise<readonly string[]> {
  const { 'client-certificate': file = '', 'client-certificate-data': data = '' } = user
  const { 'client-key': keyFile = '', 'client-key-data': keyData = '' } = user
  if (!file && !data) return []
  return [
    ...(file && data
      ? [`client-cert-data and client-cert are both specified for ${name}. client-cert-data will override.`]
      : []),
    ...(keyFile && keyData
      ? [`client-key-data and client-key are both specified for ${name}; client-key-data will override`]
      : []),
    ...(!keyFile && !keyData
      ? [`client-key-data or client-key must be specified for ${name} to use the clientCert authentication method.`]
      : []),
    ...(await unreadable('client-cert', file, name, files)),
    ...(await unreadable('client-key', keyFile, name, files)),
  ]
}

async function unreadable(what: string, path: string, name: string, files: Pick<Files, 'read'>) {
  if (path === '') return []
  try {
    await files.read(path)
    return []
  } catch (error) {
    return [`unable to read ${what} ${path} for ${name} due to ${fileError('open', path, error).message}`]
  }
}

const interactiveModes = ['Never', 'IfAvailable', 'Always']

function execProblems(name: string, exec: ExecPlugin, hasProvider: boolean): readonly string[] {
  const { command, apiVersion, env = [], interactiveMode = '' } = exec
  const missing = (what: string) => `${what} must be specified for ${name} to use exec authentication plugin`
  const isKnown = interactiveModes.includes(interactiveMode)
  return [
    ...(hasProvider ? [`authProvider cannot be provided in combination with an exec plugin for ${name}`] : []),
    ...(command ? [] : [missing('command')]),
    ...(apiVersion ? [] : [missing('apiVersion')]),
    ...env.filter((variable) => !variable.name).map(() => missing('env variable name')),
    ...(interactiveMode === '' ? [missing('interactiveMode')] : []),
    ...(interactiveMode !== '' && !isKnown ? [`invalid interactiveMode for ${name}: ${quote(interactiveMode)}`] : []),
  ]
}
