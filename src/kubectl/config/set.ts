import { boolean } from '../../base/flags/flag-types.js'
import type { Kubeconfig } from '../../client/kubeconfig/kubeconfig.js'
import { quote } from '../../schema/quote.js'
import { type Command, command } from '../command.js'
import { ConfigAccess, type KubeconfigSection, rejectArguments, unexpected, withStanza } from './access.js'

const setFlags = { 'set-raw-bytes': boolean('Read values as raw bytes instead of base64') } as const

export const set: Command = command({
  usage: 'PROPERTY_NAME PROPERTY_VALUE [options]',
  about: `Set one value. Its name is a path such as clusters.dev.server; data is given in base64.`,
  examples: ['kubectl config set clusters.dev.server https://1.2.3.4', 'kubectl config set contexts.dev.user admin'],
  flags: setFlags,
  async run(call) {
    const { args, flags, factory, out } = call
    const [path, value] = args
    if (path === undefined || value === undefined || args.length !== 2)
      return rejectArguments(call, set, unexpected(args))
    const property = propertyOf(path)
    const isRaw = flags['set-raw-bytes']
    await new ConfigAccess(factory).modify((config) => withValue(config, property, { value, isRaw }))
    await out(`Property "${path}" set.\n`)
  },
})

export const unset: Command = command({
  usage: 'PROPERTY_NAME [options]',
  about: 'Remove a value of the kubeconfig, by a path such as contexts.dev.namespace.',
  examples: ['kubectl config unset current-context', 'kubectl config unset contexts.dev.namespace'],
  flags: {},
  async run(call) {
    const { args, factory, out } = call
    const [path] = args
    if (path === undefined || args.length !== 1) return rejectArguments(call, unset, unexpected(args))
    const property = propertyOf(path)
    await new ConfigAccess(factory).modify((config) => withoutValue(config, property))
    await out(`Property "${path}" unset.\n`)
  },
})

type FieldType = 'text' | 'truth' | 'data'

/** The settable fields of each section; some fields have other names in files. */
const fields: Readonly<Record<KubeconfigSection, Readonly<Record<string, FieldType>>>> = {
  clusters: {
    server: 'text',
    'tls-server-name': 'text',
    'insecure-skip-tls-verify': 'truth',
    'certificate-authority': 'text',
    'certificate-authority-data': 'data',
    'proxy-url': 'text',
    'disable-compression': 'truth',
  },
  users: {
    'client-certificate': 'text',
    'client-certificate-data': 'data',
    'client-key': 'text',
    'client-key-data': 'data',
    token: 'text',
    tokenFile: 'text',
    'act-as': 'text',
    'act-as-uid': 'text',
    username: 'text',
    password: 'text',
  },
  contexts: { cluster: 'text', user: 'text', namespace: 'text' },
}
const namesInFiles: Readonly<Record<string, string>> = { 'act-as': 'as', 'act-as-uid': 'as-uid' }
/** Structures that can only be removed as a whole. */
const structures = ['exec', 'auth-provider', 'as-user-extra', 'extensions']

interface Property {
  readonly path: string
  readonly section: KubeconfigSection | 'current-context' | 'preferences' | 'kind' | 'apiVersion'
  readonly name: string
  /** '' for the whole stanza. */
  readonly field: string
}

/** Parses a property path. Names may contain dots: a name ends where a known field begins. */
function propertyOf(path: string): Property {
  const [section = '', ...parts] = path.split('.')
  if (section === 'current-context' || section === 'kind' || section === 'apiVersion')
    return { path, section, name: '', field: '' }
  if (section === 'preferences') return { path, section, name: '', field: parts.join('.') }
  if (section !== 'clusters' && section !== 'users' && section !== 'contexts')
    throw new Error(`unable to parse ${path} after [] at api.Config`)
  const isField = (part: string, index: number) => index > 0 && (part in fields[section] || structures.includes(part))
  const at = parts.findIndex(isField)
  const end = at === -1 ? parts.length : at
  if (at !== -1 && at < parts.length - 1) throw new Error(`unable to parse one or more field values of ${path}`)
  return { path, section, name: parts.slice(0, end).join('.'), field: parts[at] ?? '' }
}

function withValue(
  config: Kubeconfig,
  property: Property,
  given: { readonly value: string; readonly isRaw: boolean },
): Kubeconfig {
  const { section, name, field, path } = property
  const { value } = given
  if (section === 'kind' || section === 'apiVersion') return config
  if (section === 'current-context') return { ...config, 'current-context': value }
  if (section === 'preferences') {
    if (field !== 'colors') throw new Error(`unable to parse one or more field values of ${path}`)
    return { ...config, preferences: { ...config.preferences, colors: truth(value) } }
  }
  const type = fields[section][field]
  if (type === undefined)
    throw new Error(
      structures.includes(field) ? `unable to parse one or more field values of ${path}` : "can't set a map to a value",
    )
  const read = type === 'truth' ? truth(value) : type === 'data' ? data(given) : value
  const { settings = {} } = config[section].get(name) ?? {}
  return withStanza(config, section, [name, { ...settings, [namesInFiles[field] ?? field]: read }])
}

const yes = ['1', 't', 'T', 'true', 'TRUE', 'True']
const no = ['0', 'f', 'F', 'false', 'FALSE', 'False']

function truth(text: string): boolean {
  if (yes.includes(text) || no.includes(text)) return yes.includes(text)
  throw new Error(`strconv.ParseBool: parsing ${quote(text)}: invalid syntax`)
}

function data({ value, isRaw }: { readonly value: string; readonly isRaw: boolean }): string {
  if (isRaw) return Buffer.from(value).toString('base64')
  if (/^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/.test(value) && !value.includes('_')) return value
  const valid = /^[A-Za-z0-9+/]*/.exec(value)![0].length
  throw new Error(`error decoding input value: illegal base64 data at input byte ${valid - (valid % 4)}`)
}

function withoutValue(config: Kubeconfig, { section, name, field }: Property): Kubeconfig {
  if (section === 'kind' || section === 'apiVersion') return config
  if (section === 'current-context') return { ...config, 'current-context': '' }
  if (section === 'preferences') return { ...config, preferences: {} }
  if (name === '') return { ...config, [section]: new Map() }
  if (field === '') return withStanza(config, section, [name, undefined])
  const known = config[section].get(name)
  if (!known) throw new Error(`current map key \`${name}\` is invalid`)
  const { [namesInFiles[field] ?? field]: _, ...rest } = known.settings as Readonly<Record<string, unknown>>
  return withStanza(config, section, [name, rest])
}
