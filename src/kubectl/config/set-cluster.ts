import { resolve } from 'node:path'
import { boolean, text } from '../../base/flags/flag-types.js'
import type { KubeconfigCluster } from '../../client/kubeconfig/kubeconfig.js'
import { type Command, type CommandContext, command } from '../command.js'
import { ConfigAccess, embedded, rejectArguments, unexpected, withoutEmptyFields, withStanza } from './access.js'

const flags = {
  'certificate-authority': text('File with the CA certificate of the server'),
  'embed-certs': boolean('Embed the certificate in the kubeconfig'),
  'insecure-skip-tls-verify': boolean('Do not verify the certificate of the server; insecure'),
  'proxy-url': text('URL of the proxy for requests to the server'),
  server: text('URL of the server'),
  'tls-server-name': text('Host name that the certificate of the server must have'),
} as const

type SetClusterContext = CommandContext<typeof flags>

export const setCluster: Command = command({
  usage: 'NAME [--server=server] [--certificate-authority=path/to/certificate/authority] [options]',
  about: 'Create a cluster or change fields of an existing one.',
  examples: ['kubectl config set-cluster dev --server=https://1.2.3.4 --certificate-authority=ca.crt --embed-certs'],
  flags,
  run: runSetCluster,
})

async function runSetCluster(call: SetClusterContext): Promise<void> {
  const { flags: given, args, factory, out } = call
  const [name = ''] = args
  if (args.length !== 1) return rejectArguments(call, setCluster, unexpected(args))
  const authority = given['certificate-authority']
  if (name === '') throw new Error('you must specify a non-empty cluster name')
  if (given['insecure-skip-tls-verify'] && authority !== '')
    throw new Error('you cannot specify a certificate authority and insecure mode at the same time')
  if (given['embed-certs'] && authority === '') throw new Error('you must specify a --certificate-authority to embed')
  const { host } = factory.environment
  const data = given['embed-certs'] ? await embedded(host, 'certificate-authority', authority) : ''
  const trust = { file: resolve(host.workingDirectory, authority), data }
  await new ConfigAccess(factory).modify((config) => {
    const { settings = {} } = config.clusters.get(name) ?? {}
    return withStanza(config, 'clusters', [name, withoutEmptyFields(changed(settings, call, trust))])
  })
  await out(`Cluster "${name}" set.\n`)
}

/** A new server address or certificate replaces the settings that contradict it. */
function changed(
  before: KubeconfigCluster,
  { flags: given, isSet }: SetClusterContext,
  trust: { readonly file: string; readonly data: string },
): KubeconfigCluster {
  const naming = isSet('server') ? { server: given.server, 'tls-server-name': '' } : {}
  const name = isSet('tls-server-name') ? { 'tls-server-name': given['tls-server-name'] } : {}
  const proxy = isSet('proxy-url') ? { 'proxy-url': given['proxy-url'] } : {}
  const insecure = isSet('insecure-skip-tls-verify') ? insecurity(given['insecure-skip-tls-verify']) : {}
  const authority = isSet('certificate-authority') ? authorityOf(given['certificate-authority'], trust) : {}
  return { ...before, ...naming, ...name, ...insecure, ...authority, ...proxy }
}

function insecurity(isInsecure: boolean): KubeconfigCluster {
  const without = { 'certificate-authority': '', 'certificate-authority-data': '' }
  return { 'insecure-skip-tls-verify': isInsecure, ...(isInsecure && without) }
}

function authorityOf(
  given: string,
  { file, data }: { readonly file: string; readonly data: string },
): KubeconfigCluster {
  if (given === '') return { 'certificate-authority': '' }
  const where = data === '' ? { 'certificate-authority': file } : { 'certificate-authority': '' }
  return { ...where, 'certificate-authority-data': data, 'insecure-skip-tls-verify': false }
}
