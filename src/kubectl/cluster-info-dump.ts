import { join } from 'node:path'
import type { Pod } from '../api/core/v1/pod.js'
import { boolean, csvList, signedDuration, text } from '../base/flags/flag-types.js'
import type { JsonObject } from '../schema/declaration.js'
import { type CommandContext, command } from './command.js'
import { errorMessage } from './command-errors.js'
import { printTypedJson } from './printers/json.js'
import { objectPrinter, outputFlags, type PrintObject } from './printers/output.js'
import { itemsOf, resourcePath, withMetadata } from './resources/resource-object.js'

const flags = {
  ...outputFlags,
  output: text('Output format; json by default', { short: 'o', initial: 'json' }),
  'all-namespaces': boolean('Dump all namespaces', { short: 'A' }),
  namespaces: csvList('The namespaces to dump; kube-system and the current one by default'),
  'output-directory': text('Directory for the files; - writes to standard output'),
  'pod-running-timeout': signedDuration('Accepted for compatibility; has no effect', { initial: 20_000 }),
} as const

type DumpContext = CommandContext<typeof flags>

export const dump = command({
  usage: '[flags] [options]',
  about: 'Dump objects and pod logs of the cluster for debugging.',
  examples: ['kubectl cluster-info dump', 'kubectl cluster-info dump -A --output-directory=/tmp/cluster'],
  flags,
  run: runDump,
})

/** By the name of the file that the dump writes. */
const kinds = {
  events: '/api/v1/events',
  'replication-controllers': '/api/v1/replicationcontrollers',
  services: '/api/v1/services',
  daemonsets: '/apis/apps/v1/daemonsets',
  deployments: '/apis/apps/v1/deployments',
  replicasets: '/apis/apps/v1/replicasets',
  pods: '/api/v1/pods',
} as const

async function runDump(call: DumpContext): Promise<void> {
  const { flags: given, factory, out } = call
  const print = await printerOf(call)
  const rest = await factory.rest()
  const nodes = await rest.json<JsonObject>({ path: '/api/v1/nodes' })
  await write(call, 'nodes', print(nodes))
  for (const namespace of await namespacesOf(call)) await dumpNamespace(call, namespace, print)
  if (isFolder(given)) await out(`Cluster info dumped to ${given['output-directory']}\n`)
}

async function printerOf({ flags: given, factory }: DumpContext): Promise<PrintObject> {
  if (given.output === 'json') return (object) => printTypedJson(typedList(object))
  if (given.output !== 'yaml') return (await objectPrinter(factory, given))!
  const { printYaml } = await import('./printers/yaml/yaml.js')
  let count = 0
  return (object) => `${count++ > 0 ? '---\n' : ''}${printYaml(typedList(object))}`
}

/** Formats a list as upstream does: items without kind and version, null for an empty list. */
function typedList({ items, ...list }: JsonObject): JsonObject {
  const all = (items as readonly JsonObject[] | null) ?? []
  return {
    ...list,
    items: all.length === 0 ? null : all.map((item) => withMetadata(item, { managedFields: undefined })),
  }
}

function isFolder({ 'output-directory': folder }: DumpContext['flags']): boolean {
  return folder !== '' && folder !== '-'
}

async function namespacesOf({ flags: given, factory }: DumpContext): Promise<readonly string[]> {
  if (!given['all-namespaces'])
    return given.namespaces.length > 0 ? given.namespaces : ['kube-system', (await factory.namespace()).name]
  const all = await (await factory.rest()).json<JsonObject>({ path: '/api/v1/namespaces' })
  return itemsOf(all).map(({ metadata }) => (metadata as { readonly name: string }).name)
}

async function dumpNamespace(call: DumpContext, namespace: string, print: PrintObject): Promise<void> {
  const rest = await call.factory.rest()
  let pods: readonly Pod[] = []
  for (const [name, path] of Object.entries(kinds)) {
    const [, root = '', plural = ''] = /^(.*)\/(\w+)$/.exec(path)!
    const found = await rest.json<JsonObject>({ path: resourcePath({ root, plural, namespaced: true }, namespace) })
    await write(call, `${namespace}/${name}`, print(found))
    if (name === 'pods') pods = itemsOf(found) as unknown as readonly Pod[]
  }
  for (const pod of pods) await dumpLogs(call, pod)
}

async function dumpLogs(call: DumpContext, { metadata, spec }: Pod): Promise<void> {
  const { namespace = '', name = '' } = metadata
  const parts: string[] = []
  for (const container of [...(spec.initContainers ?? []), ...spec.containers]) {
    const what = `logs for container ${container.name} of pod ${namespace}/${name}`
    const log = await logOf(call, { namespace, name, container: container.name })
    parts.push(`==== START ${what} ====\n${log}==== END ${what} ====\n`)
  }
  await write(call, `${namespace}/${name}/logs`, parts.join(''), '.txt')
}

interface LogPlace {
  readonly namespace: string
  readonly name: string
  readonly container: string
}

/** Returns the log of a container. A missing log is not an error: its message goes into the dump. */
async function logOf({ factory }: DumpContext, { namespace, name, container }: LogPlace): Promise<string> {
  const path = resourcePath({ root: '/api/v1', plural: 'pods', namespaced: true }, namespace, name, 'log')
  try {
    return (await (await factory.rest()).bytes({ path, query: { container } })).toString()
  } catch (error) {
    return `Request log error: ${errorMessage(error)}\n`
  }
}

const extensions: Readonly<Record<string, string>> = { json: '.json', yaml: '.yaml' }

async function write(call: DumpContext, name: string, content: string, extension?: string): Promise<void> {
  const { flags: given, factory, out } = call
  if (!isFolder(given)) return out(content)
  const { workingDirectory: folder, files } = factory.environment.host
  const file = `${name}${extension ?? extensions[given.output] ?? '.txt'}`
  await files.replace(join(folder, given['output-directory'], file), content)
}
