import { readFileSync } from 'node:fs'
import type { Random } from '../../base/random.js'
import type { Scheme } from '../../schema/scheme.js'
import { parseYaml } from '../../wire/yaml.js'
import { storagePrefix } from '../registry/resource-map.js'
import {
  cipherProvider,
  type EncryptionProvider,
  identityProvider,
  isCipherName,
  keyLengths,
  type NamedKey,
} from './providers.js'

/** Which keys of the store are encrypted, and how: the first provider encrypts, and each is tried for decryption. */
export interface EncryptionRule {
  covers(key: string): boolean
  readonly providers: readonly EncryptionProvider[]
}

export interface EncryptionDependencies {
  readonly scheme: Scheme
  readonly random: Random
}

/** Throws an error that names the problem, but never quotes a key, if the file is invalid. */
export async function loadEncryption(
  path: string,
  dependencies: EncryptionDependencies,
): Promise<readonly EncryptionRule[]> {
  const content = readFileSync(path, 'utf8')
  try {
    const { value } = await parseYaml(content).catch(() => ({ value: undefined })) // an error of the parser may quote a key
    return readEncryption(value, dependencies)
  } catch (error) {
    throw new Error(`the encryption configuration ${path} cannot be used: ${(error as Error).message}`)
  }
}

interface EncryptionConfiguration {
  readonly apiVersion?: string
  readonly kind?: string
  readonly resources?: readonly ResourceConfiguration[]
}

interface ResourceConfiguration {
  readonly resources?: readonly string[]
  readonly providers?: readonly Readonly<Record<string, { readonly keys?: readonly KeyConfiguration[] } | null>>[]
}

interface KeyConfiguration {
  readonly name?: string
  readonly secret?: string
}

export function readEncryption(value: unknown, dependencies: EncryptionDependencies): readonly EncryptionRule[] {
  const { apiVersion, kind, resources } = (value ?? {}) as EncryptionConfiguration
  if (apiVersion !== 'apiserver.config.k8s.io/v1' || kind !== 'EncryptionConfiguration')
    throw new Error('it must be an EncryptionConfiguration of apiserver.config.k8s.io/v1')
  if (!Array.isArray(resources) || resources.length === 0) throw new Error('resources is empty')
  return resources.map((each, index) => readRule(each, `resources[${index}]`, dependencies))
}

function readRule(
  { resources = [], providers = [] }: ResourceConfiguration,
  where: string,
  { scheme, random }: EncryptionDependencies,
): EncryptionRule {
  if (resources.length === 0) throw new Error(`${where}.resources is empty`)
  if (providers.length === 0) throw new Error(`${where}.providers is empty`)
  const prefixes = resources.flatMap((name) => prefixesOf(String(name), scheme))
  return {
    covers: (key) => prefixes.some((prefix) => key.startsWith(prefix)),
    providers: providers.map((provider, index) => readProvider(provider, `${where}.providers[${index}]`, random)),
  }
}

/** Accepts `secrets`, `deployments.apps`, `*.apps` for all of a group, and `*.*` for everything. */
function prefixesOf(name: string, scheme: Scheme): readonly string[] {
  if (name === '*.*') return ['/registry/']
  const [plural = '', ...rest] = name.split('.')
  const group = rest.join('.')
  const kinds = scheme.resources.filter(({ kind }) => kind.group === group)
  const chosen = kinds.filter(({ kind }) => plural === '*' || kind.resource.plural === plural)
  if (chosen.length > 0) return [...new Set(chosen.map((type) => storagePrefix(type, scheme)))]
  if (group === '') throw new Error(`there is no resource ${name}`)
  return [`/registry/${group}/${plural === '*' ? '' : `${plural}/`}`]
}

function readProvider(
  given: Readonly<Record<string, { keys?: readonly KeyConfiguration[] } | null>>,
  where: string,
  random: Random,
): EncryptionProvider {
  const names = Object.keys(given ?? {})
  const [name = ''] = names
  if (names.length !== 1) throw new Error(`${where} must be one provider`)
  if (name === 'identity') return identityProvider
  if (!isCipherName(name)) throw new Error(`${where} must be identity, ${Object.keys(keyLengths).join(' or ')}`)
  const keys = (given[name]?.keys ?? []).map((key, index) =>
    readKey(key, `${where}.${name}.keys[${index}]`, keyLengths[name]),
  )
  if (keys.length === 0) throw new Error(`${where}.${name} has no keys`)
  if (new Set(keys.map((key) => key.name)).size < keys.length)
    throw new Error(`${where}.${name} has two keys of one name`)
  return cipherProvider(name, keys, random)
}

function readKey({ name = '', secret = '' }: KeyConfiguration, where: string, lengths: readonly number[]): NamedKey {
  if (name === '' || name.includes(':')) throw new Error(`${where}.name must be a name without colons`)
  const bytes = Buffer.from(String(secret), 'base64')
  if (!lengths.includes(bytes.length)) throw new Error(`${where}.secret must be ${lengths.join(', ')} bytes in base64`)
  return { name, secret: bytes }
}
