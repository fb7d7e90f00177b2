import { quote } from '../../schema/quote.js'
import { parseYaml } from '../../wire/yaml.js'
import { decodeShape } from './decode.js'
import { emptyKubeconfig, type Kubeconfig, type KubeconfigUser, type Stanza, type Stanzas } from './kubeconfig.js'
import { quickYaml } from './quick-yaml.js'
import { kubeconfigShape } from './shape.js'

interface Decoded {
  readonly preferences?: Kubeconfig['preferences']
  readonly clusters?: ReadonlyMap<string, object>
  readonly users?: ReadonlyMap<string, KubeconfigUser>
  readonly contexts?: ReadonlyMap<string, object>
  readonly 'current-context'?: string
  readonly extensions?: Kubeconfig['extensions']
}

/** Parses YAML or JSON. `file` is its path. Throws if it is not a kubeconfig; the message contains no secret. */
export async function parseKubeconfig(content: string, file?: string): Promise<Kubeconfig> {
  if (content === '') return emptyKubeconfig
  const value = quickYaml(content) ?? (await parseYaml(content)).value
  const given = value ?? {}
  checkKind(given)
  const decoded = decodeShape(kubeconfigShape, given, { path: '', owner: 'Config' }) as Decoded
  return {
    preferences: decoded.preferences ?? {},
    clusters: stanzas(decoded.clusters, file),
    users: stanzas(withDefaults(decoded.users), file),
    contexts: stanzas(decoded.contexts, file),
    'current-context': decoded['current-context'] ?? '',
    extensions: decoded.extensions ?? new Map(),
  }
}

/** A file may leave out its kind, but must not have another one. */
function checkKind(given: unknown): void {
  if (typeof given !== 'object' || Array.isArray(given))
    throw new Error(`couldn't get version/kind; json parse error: the file holds a single ${typeof given}`)
  const { apiVersion, kind } = given as { readonly apiVersion?: unknown; readonly kind?: unknown }
  const version = apiVersion || 'v1'
  const name = kind || 'Config'
  if (version !== 'v1' || name !== 'Config')
    throw new Error(`no kind ${quote(String(name))} is registered for version ${quote(String(version))}`)
}

function stanzas<T>(decoded: ReadonlyMap<string, T> = new Map(), file?: string): Stanzas<T> {
  const entries = [...decoded].map(([name, settings]): [string, Stanza<T>] => [
    name,
    { settings, ...(file && { file }) },
  ])
  return new Map(entries)
}

/** Versions before v1 do not require an interactive mode. */
const olderVersions = ['client.authentication.k8s.io/v1alpha1', 'client.authentication.k8s.io/v1beta1']

function withDefaults(users: ReadonlyMap<string, KubeconfigUser> = new Map()): ReadonlyMap<string, KubeconfigUser> {
  return new Map([...users].map(([name, user]) => [name, withDefaultMode(user)]))
}

function withDefaultMode(user: KubeconfigUser): KubeconfigUser {
  const { exec } = user
  if (!exec || exec.interactiveMode || !olderVersions.includes(exec.apiVersion ?? '')) return user
  return { ...user, exec: { ...exec, interactiveMode: 'IfAvailable' } }
}
