import { boolean, text } from '../../base/flags/flag-types.js'
import { flattenKubeconfig } from '../../client/kubeconfig/flatten.js'
import { kubeconfigJson } from '../../client/kubeconfig/format.js'
import type {
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigUser,
  Stanza,
  Stanzas,
} from '../../client/kubeconfig/kubeconfig.js'
import type { JsonObject } from '../../schema/declaration.js'
import { type CommandContext, command } from '../command.js'
import { CommandUsageError } from '../command-errors.js'
import { printTypedJson } from '../printers/json.js'
import { objectPrinter, outputFlags, type PrintObject } from '../printers/output.js'
import { ConfigAccess } from './access.js'

const flags = {
  ...outputFlags,
  output: text('Output format; yaml by default', { short: 'o', initial: 'yaml' }),
  flatten: boolean('Embed referenced files, so that the output can be used elsewhere'),
  merge: boolean('Merge all kubeconfig files', { initial: true }),
  minify: boolean('Show only the current context'),
  raw: boolean('Show secrets and certificates'),
} as const

type ViewContext = CommandContext<typeof flags>

export const view = command({
  usage: '[flags] [options]',
  about: 'Show the merged kubeconfig, without secrets by default.',
  examples: ['kubectl config view', 'kubectl config view --minify --flatten'],
  flags,
  run: runView,
})

async function runView(call: ViewContext): Promise<void> {
  const { flags: given, args, path, factory, out } = call
  if (args.length > 0) throw new CommandUsageError(path, `unexpected arguments: [${args.join(' ')}]`)
  const access = new ConfigAccess(factory)
  if (!given.merge && !access.isExplicit) throw new Error('if merge==false a precise file must be specified')
  const print = await printerOf(call)
  const whole = await access.load()
  const context = factory.globals.context || whole['current-context']
  const shown = given.minify ? minified({ ...whole, 'current-context': context }) : whole
  await out(print(kubeconfigJson(await finished(call, shown)) as JsonObject))
}

async function printerOf({ flags: given, factory }: ViewContext): Promise<PrintObject> {
  if (given.output === 'json') return printTypedJson
  if (given.output === 'name') return () => 'config/<unknown>\n'
  return (await objectPrinter(factory, given))!
}

async function finished({ flags: given, factory }: ViewContext, config: Kubeconfig): Promise<Kubeconfig> {
  if (given.flatten) return flattenKubeconfig(config, factory.environment.host)
  return given.raw ? config : withoutSecrets(config)
}

function minified(config: Kubeconfig): Kubeconfig {
  const { 'current-context': name, contexts, clusters, users } = config
  if (name === '') throw new Error('current-context must exist in order to minify')
  const context = contexts.get(name)
  if (!context) throw new Error(`cannot locate context ${name}`)
  const { cluster = '', user = '' } = context.settings
  return {
    ...config,
    contexts: new Map([[name, context]]),
    clusters: only(clusters, cluster, 'cluster'),
    users: only(users, user, 'user'),
  }
}

function only<T>(stanzas: Stanzas<T>, name: string, noun: string): Stanzas<T> {
  if (name === '') return new Map()
  const found = stanzas.get(name)
  if (!found) throw new Error(`cannot locate ${noun} ${name}`)
  return new Map([[name, found]])
}

const omitted = 'DATA+OMITTED'
const redacted = 'REDACTED'

function withoutSecrets(config: Kubeconfig): Kubeconfig {
  const hide = <T extends object>(settings: T, words: Readonly<Record<string, string>>): T => {
    const hidden = Object.entries(words).filter(([field]) => (settings as Record<string, unknown>)[field])
    return { ...settings, ...Object.fromEntries(hidden) }
  }
  const cluster = (settings: KubeconfigCluster) => hide(settings, { 'certificate-authority-data': omitted })
  const user = (settings: KubeconfigUser) =>
    hide(settings, {
      'client-certificate-data': omitted,
      'client-key-data': omitted,
      token: redacted,
      password: redacted,
    })
  return { ...config, clusters: each(config.clusters, cluster), users: each(config.users, user) }
}

function each<T>(stanzas: Stanzas<T>, change: (settings: T) => T): Stanzas<T> {
  const entries = [...stanzas].map(([name, stanza]): [string, Stanza<T>] => [
    name,
    { ...stanza, settings: change(stanza.settings) },
  ])
  return new Map(entries)
}
