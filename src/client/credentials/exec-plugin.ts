import type { Environment } from '../../base/environment.js'
import { isPrintable, quote } from '../../schema/quote.js'
import { type HostAccess, isMissing } from '../host-access.js'
import type { ExecPlugin } from '../kubeconfig/kubeconfig.js'
import { SingleFlight } from '../single-flight.js'
import type { Credential, CredentialSource } from './credential.js'
import { type PluginCredential, readExecCredential } from './exec-credential.js'

const apiVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']

const longestOutput = 1 << 20

export interface PluginDependencies {
  readonly host: Pick<HostAccess, 'run' | 'variables' | 'isTerminal'>
  readonly environment: Pick<Environment, 'clock' | 'log'>
  /** Returns the cluster information for plugins that request it. */
  readonly cluster?: () => Promise<object>
}

/** Runs a plugin for credentials: at first, after they expire, and after the server rejects them. Never runs it twice at a time. */
export class ExecPluginSource implements CredentialSource {
  readonly #plugin: ExecPlugin
  readonly #dependencies: PluginDependencies
  readonly #attempts = new SingleFlight<PluginCredential>()
  #current: PluginCredential | undefined

  constructor(plugin: ExecPlugin, dependencies: PluginDependencies) {
    const { apiVersion = '' } = plugin
    if (!apiVersions.includes(apiVersion)) throw new Error(`exec plugin: invalid apiVersion ${quote(apiVersion)}`)
    this.#plugin = plugin
    this.#dependencies = dependencies
  }

  async current(signal?: AbortSignal): Promise<Credential> {
    const { expires = Number.POSITIVE_INFINITY } = this.#current ?? {}
    if (this.#current && this.#dependencies.environment.clock.now() <= expires) return this.#current.credential
    return (await this.#attempt(signal)).credential
  }

  /** Keeps the credential if the plugin fails: the caller then reports the rejection. */
  async rejected(credential: Credential, signal?: AbortSignal): Promise<void> {
    if (credential !== this.#current?.credential) return
    try {
      await this.#attempt(signal)
    } catch (error) {
      signal?.throwIfAborted()
      this.#dependencies.environment.log.error('credential refresh failed', { error })
    }
  }

  async #attempt(signal?: AbortSignal): Promise<PluginCredential> {
    this.#current = await this.#attempts.run((stop) => this.#run(stop), signal)
    return this.#current
  }

  async #run(signal: AbortSignal): Promise<PluginCredential> {
    try {
      const { command = '', args = [], apiVersion = '' } = this.#plugin
      const interactive = this.#isInteractive()
      const variables = await this.#variables(interactive)
      const program = { command, args, variables, interactive, longestOutput, signal }
      const { code, output } = await this.#dependencies.host.run(program).catch((error: unknown) => {
        throw signal.aborted ? error : this.#failure(error)
      })
      if (code !== 0) throw new Error(`exec: executable ${command} failed with exit code ${code ?? -1}`)
      return readExecCredential(output, apiVersion)
    } catch (error) {
      throw signal.aborted ? error : new Error(`getting credentials: ${(error as Error).message}`)
    }
  }

  #isInteractive(): boolean {
    const { interactiveMode } = this.#plugin
    const { isTerminal } = this.#dependencies.host
    if (interactiveMode === 'Always' && !isTerminal)
      throw new Error('exec plugin cannot support interactive mode: standard input is not a terminal')
    return interactiveMode !== 'Never' && isTerminal
  }

  async #variables(interactive: boolean): Promise<Readonly<Record<string, string | undefined>>> {
    const { env = [], provideClusterInfo, apiVersion } = this.#plugin
    const { host, cluster } = this.#dependencies
    const spec = { ...(provideClusterInfo && cluster && { cluster: await cluster() }), interactive }
    const own = Object.fromEntries(env.map(({ name = '', value = '' }) => [name, value]))
    const info = JSON.stringify({ kind: 'ExecCredential', apiVersion, spec })
    return { ...host.variables, ...own, KUBERNETES_EXEC_INFO: info }
  }

  #failure(error: unknown): Error {
    const { command = '', installHint = '' } = this.#plugin
    if (!isMissing(error)) return new Error(`exec: ${(error as Error).message}`)
    const hint = installHint === '' ? '' : `\n\n${escapeControls(installHint)}`
    return new Error(`exec: executable ${command} not found${notInstalled}${hint}`)
  }
}

const notInstalled = `

It looks like you are trying to use a client-go credential plugin that is not installed.

To learn more about this feature, consult the documentation available at:
      https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins`

/** Escapes characters that could control a terminal. */
function escapeControls(text: string): string {
  return [...text].map((character) => (isHarmless(character) ? character : codeOf(character))).join('')
}

function isHarmless(character: string): boolean {
  return isPrintable(character) || /[\t-\r\p{Z}]/u.test(character)
}

function codeOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}
