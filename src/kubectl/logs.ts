import { boolean, signedDuration, signedInteger, text } from '../base/flags/flag-types.js'
import { type CommandContext, command } from './command.js'
import { CommandUsageError } from './command-errors.js'
import type { Factory } from './factory/factory.js'
import { isNotFound } from './factory/rest.js'
import { fetchObjects } from './resources/fetch.js'
import type { ResourceObject } from './resources/resource-object.js'
import type { ResourceSelection } from './resources/selection.js'
import { chooseContainer, containerNames, podPath, podsOfObject } from './resources/workload-pods.js'

const flags = {
  'all-containers': boolean('Print the logs of all containers of the pod'),
  'all-pods': boolean('Print the logs of all pods of the object'),
  container: text('Print the logs of this container', { short: 'c' }),
  follow: boolean('Follow the log', { short: 'f' }),
  'ignore-errors': boolean('With --follow: continue if one log fails'),
  'insecure-skip-tls-verify-backend': boolean('Do not verify the certificate of the node'),
  'limit-bytes': signedInteger('The maximum number of bytes to print'),
  'max-log-requests': signedInteger('With a selector and --follow: the maximum number of logs at the same time', {
    initial: 5,
  }),
  'pod-running-timeout': signedDuration('How long to wait for a running pod', { initial: 20_000 }),
  prefix: boolean('Prefix each line with pod and container'),
  previous: boolean('Print the logs of the previous container', { short: 'p' }),
  selector: text('Print the logs of pods with these labels', { short: 'l' }),
  since: signedDuration('Print only lines that are newer than this duration'),
  'since-time': text('Print only lines after this time'),
  tail: signedInteger('The number of last lines to print; -1 for all', { initial: -1 }),
  timestamps: boolean('Prefix each line with its time'),
} as const

type LogsContext = CommandContext<typeof flags>

export const logs = command({
  usage: '[-f] [-p] (POD | TYPE/NAME) [-c CONTAINER] [options]',
  about: 'Print the logs of the containers of a pod.',
  examples: [
    'kubectl logs web',
    'kubectl logs -f deployment/web -c main',
    'kubectl logs -l app=web --prefix --tail=20',
  ],
  flags,
  run: runLogs,
})

interface Log {
  readonly pod: ResourceObject
  readonly container: string
}

async function runLogs(call: LogsContext): Promise<void> {
  check(call)
  const all = await logsOf(call)
  const { flags: given } = call
  if (given.since !== 0 && given['since-time'] !== '')
    throw new Error('at most one of `sinceTime` or `sinceSeconds` may be specified')
  if (given.follow && all.length > given['max-log-requests'])
    throw new Error(
      `you are attempting to follow ${all.length} log streams, but maximum allowed concurrency is ${given['max-log-requests']}, use --max-log-requests to increase the limit`,
    )
  if (given.follow) await Promise.all(all.map((log) => print(call, log)))
  else for (const log of all) await print(call, log)
}

function check({ flags: given, args, path }: LogsContext): void {
  if (args.length === 0 && given.selector === '')
    throw new CommandUsageError(
      path,
      "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command",
    )
  if (args.length > 0 && given.selector !== '')
    throw new CommandUsageError(path, 'only a selector (-l) or a POD name is allowed')
  if (args.length > 2)
    throw new CommandUsageError(
      path,
      `expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command`,
    )
  if (given['all-containers'] && (given.container !== '' || args.length === 2))
    throw new Error(`--all-containers=true should not be specified with container name ${given.container || args[1]}`)
  if (given.tail < -1) throw new Error('--tail must be greater than or equal to -1')
}

async function logsOf(call: LogsContext): Promise<readonly Log[]> {
  const { flags: given, args, factory, err } = call
  const [name = '', container = given.container] = args
  const isSelected = given.selector !== ''
  const found = await fetchNamed(
    factory,
    isSelected ? { args: ['pods'], selector: given.selector } : { args: name.includes('/') ? [name] : ['pods', name] },
  )
  if (isSelected && found.length === 0) {
    await err(`No resources found in ${(await factory.namespace()).name} namespace.\n`)
    return []
  }
  const pods = isSelected ? found : await chosenPods(call, found[0]!)
  const logs: Log[] = []
  for (const pod of pods) {
    const names = given['all-containers'] ? containerNames(pod.object) : [await chooseContainer(pod, container, err)]
    for (const each of names) logs.push({ pod, container: each })
  }
  return logs
}

/** Adds the namespace to the error if an object does not exist. */
async function fetchNamed(factory: Factory, selection: ResourceSelection): Promise<readonly ResourceObject[]> {
  try {
    return await fetchObjects(factory, selection)
  } catch (error) {
    if (!isNotFound(error)) throw error
    const { name } = await factory.namespace()
    throw new Error(`error from server (NotFound): ${error.message} in namespace "${name}"`, { cause: error })
  }
}

async function chosenPods(
  { flags: given, factory, err }: LogsContext,
  info: ResourceObject,
): Promise<readonly ResourceObject[]> {
  const pods = await podsOfObject(factory, info)
  if (pods.length === 0) throw new Error(`timed out waiting for the condition`)
  if (pods.length === 1 || given['all-pods']) return pods
  await err(`Found ${pods.length} pods, using pod/${pods[0]!.name}\n`)
  return pods.slice(0, 1)
}

async function print(call: LogsContext, log: Log): Promise<void> {
  const { flags: given, factory, out, err } = call
  const prefix = given.prefix ? `[pod/${log.pod.name}/${log.container}] ` : ''
  try {
    const stream = await (await factory.rest()).stream({
      path: podPath(log.pod, 'log'),
      query: queryOf(call, log),
      accept: '*/*',
    })
    if (prefix === '') for await (const chunk of stream) await out(chunk as Uint8Array)
    else for await (const line of lines(stream)) await out(`${prefix}${line}`)
  } catch (error) {
    if (!given['ignore-errors']) throw error
    await err(`error: ${(error as Error).message}\n`)
  }
}

function queryOf({ flags: given, isSet }: LogsContext, { container }: Log) {
  const tail = given.selector !== '' && !isSet('tail') ? 10 : given.tail
  return {
    container,
    follow: given.follow || undefined,
    previous: given.previous || undefined,
    timestamps: given.timestamps || undefined,
    limitBytes: given['limit-bytes'] || undefined,
    sinceSeconds: given.since === 0 ? undefined : String(Math.ceil(given.since / 1000)),
    sinceTime: given['since-time'] || undefined,
    tailLines: tail === -1 ? undefined : tail,
    insecureSkipTLSVerifyBackend: given['insecure-skip-tls-verify-backend'] || undefined,
  }
}

/** Yields lines with their line breaks. The last line may have none. */
async function* lines(stream: AsyncIterable<unknown>): AsyncIterable<string> {
  let rest = ''
  for await (const chunk of stream) {
    const parts = (rest + Buffer.from(chunk as Uint8Array).toString()).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) yield `${line}\n`
  }
  if (rest !== '') yield rest
}
