import { resolve } from 'node:path'
import { boolean, repeated, text } from '../../base/flags/flag-types.js'
import type { ExecPlugin, KubeconfigUser } from '../../client/kubeconfig/kubeconfig.js'
import { type Command, type CommandContext, command } from '../command.js'
import { ConfigAccess, embedded, rejectArguments, unexpected, withoutEmptyFields, withStanza } from './access.js'

const flags = {
  'auth-provider': text('Name of an auth provider'),
  'auth-provider-arg': repeated('Setting of the auth provider: key=value, or key- to remove it'),
  'client-certificate': text('File with the client certificate'),
  'client-key': text('File with the key of the client certificate'),
  'embed-certs': boolean('Embed the certificate and the key in the kubeconfig'),
  'exec-api-version': text('API version of the credential plugin'),
  'exec-arg': repeated('Argument of the credential plugin'),
  'exec-command': text('Command of the credential plugin'),
  'exec-env': repeated('Environment variable of the credential plugin: key=value, or key- to remove it'),
  'exec-interactive-mode': text('Whether the credential plugin may be interactive: Never, IfAvailable or Always'),
  'exec-provide-cluster-info': boolean('Pass the cluster information to the credential plugin'),
  password: text('Password for basic authentication'),
  token: text('Bearer token'),
  username: text('User name for basic authentication'),
} as const

type SetCredentialsContext = CommandContext<typeof flags>

export const setCredentials: Command = command({
  usage: 'NAME [--client-certificate=path/to/certfile] [--client-key=path/to/keyfile] [--token=bearer_token] [options]',
  about: 'Create a user or change fields of an existing one.',
  examples: ['kubectl config set-credentials admin --client-certificate=a.crt --client-key=a.key --embed-certs'],
  flags,
  run: runSetCredentials,
})

async function runSetCredentials(call: SetCredentialsContext): Promise<void> {
  const { args, factory, out } = call
  const [name = ''] = args
  if (args.length !== 1) return rejectArguments(call, setCredentials, unexpected(args))
  const provider = await pairs(call, 'auth-provider-arg')
  const variables = await pairs(call, 'exec-env')
  check(call, name)
  const certificates = await certificatesOf(call)
  await new ConfigAccess(factory).modify((config) => {
    const { settings = {} } = config.users.get(name) ?? {}
    const changed = {
      ...settings,
      ...certificates,
      ...secrets(call),
      ...providerOf(settings, call, provider),
      ...execOf(settings, call, variables),
    }
    return withStanza(config, 'users', [name, withoutEmptyFields(changed)])
  })
  await out(`User "${name}" set.\n`)
}

function check({ flags: given }: SetCredentialsContext, name: string): void {
  if (name === '') throw new Error('you must specify a non-empty user name')
  const methods = [
    ...(given.token === '' ? [] : ['--token']),
    ...(given.username === '' && given.password === '' ? [] : ['--username/--password']),
  ]
  if (methods.length > 1)
    throw new Error(`you cannot specify more than one authentication method at the same time: ${methods.join(', ')}`)
  if (given['embed-certs'] && given['client-certificate'] === '' && given['client-key'] === '')
    throw new Error('you must specify a --client-certificate or --client-key to embed')
}

/** Values by key; undefined removes the key. */
type Pairs = ReadonlyMap<string, string | undefined>

async function pairs(call: SetCredentialsContext, flag: 'auth-provider-arg' | 'exec-env'): Promise<Pairs> {
  const found = new Map<string, string | undefined>()
  for (const text of call.flags[flag]) {
    const [, key, value, removed] = /^([^=]+)=([\s\S]*)$|^(.+)-$/.exec(text) ?? []
    if (key !== undefined) found.set(key, value)
    else if (removed !== undefined) found.set(removed, undefined)
    else await rejectArguments(call, setCredentials, `invalid ${flag} format: ${text}`)
  }
  return found
}

const certificateFlags = ['client-certificate', 'client-key'] as const

async function certificatesOf({ flags: given, isSet, factory }: SetCredentialsContext): Promise<KubeconfigUser> {
  const { host } = factory.environment
  const changes: Record<string, string> = {}
  for (const flag of certificateFlags.filter(isSet)) {
    const path = given[flag]
    if (given['embed-certs'] && path !== '') {
      changes[`${flag}-data`] = await embedded(host, flag, path)
      changes[flag] = ''
    } else {
      changes[flag] = path === '' ? '' : resolve(host.workingDirectory, path)
      if (path !== '') changes[`${flag}-data`] = ''
    }
  }
  return changes
}

/** A token replaces a password, and a password replaces a token. */
function secrets({ flags: given, isSet }: SetCredentialsContext): KubeconfigUser {
  const basic = isSet('username') || isSet('password')
  if (isSet('token')) return { token: given.token, ...(given.token !== '' && { username: '', password: '' }) }
  if (!basic) return {}
  return {
    ...(isSet('username') && { username: given.username }),
    ...(isSet('password') && { password: given.password }),
    token: '',
  }
}

function providerOf(
  before: KubeconfigUser,
  { flags: given, isSet }: SetCredentialsContext,
  changes: Pairs,
): KubeconfigUser {
  const known = before['auth-provider']
  const name = given['auth-provider']
  const provider = !isSet('auth-provider') ? known : known && known.name === name ? known : { name }
  if (!provider) return {}
  const config = new Map(Object.entries(provider.config ?? {}))
  for (const [key, value] of changes)
    if (value === undefined) config.delete(key)
    else config.set(key, value)
  return { 'auth-provider': { ...provider, ...(config.size > 0 && { config: Object.fromEntries(config) }) } }
}

/** A new program discards the arguments of the old one. Without a program there is nothing to set. */
function execOf(
  before: KubeconfigUser,
  { flags: given, isSet }: SetCredentialsContext,
  changes: Pairs,
): KubeconfigUser {
  const { args: _, ...kept } = before.exec ?? {}
  const known = isSet('exec-command') ? { ...kept, command: given['exec-command'] } : before.exec
  if (!known) return {}
  const exec: ExecPlugin = {
    ...known,
    ...(isSet('exec-api-version') && { apiVersion: given['exec-api-version'] }),
    ...(isSet('exec-interactive-mode') && { interactiveMode: given['exec-interactive-mode'] }),
    ...(isSet('exec-provide-cluster-info') && { provideClusterInfo: given['exec-provide-cluster-info'] }),
    ...(isSet('exec-arg') && { args: given['exec-arg'] }),
  }
  return { exec: changes.size === 0 ? exec : { ...exec, env: variablesOf(exec, changes) } }
}

function variablesOf({ env = [] }: ExecPlugin, changes: Pairs) {
  const kept = env.filter(({ name = '' }) => !changes.has(name))
  const added = [...changes].filter(([, value]) => value !== undefined)
  return [...kept, ...added.map(([name, value]) => ({ name, value: value! }))]
}
