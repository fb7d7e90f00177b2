import { boolean, signedInteger, text } from '../../base/flags/flag-types.js'
import { type CommandContext, command } from '../command.js'
import { errorMessage, throwAll } from '../command-errors.js'
import { isNotFound } from '../factory/rest.js'
import { defaultChunkSize, fetchWhatCanBeHad } from '../resources/fetch.js'
import type { ResourceObject } from '../resources/resource-object.js'
import { fileFlags } from '../resources/selection.js'

const flags = {
  ...fileFlags,
  'all-namespaces': boolean('Select objects in all namespaces', { short: 'A' }),
  'chunk-size': signedInteger('How many objects to request at once; 0 for all', { initial: defaultChunkSize }),
  selector: text('Select objects by labels: app=web,tier in (a,b)', { short: 'l' }),
  'show-events': boolean('Show the events of each object', { initial: true }),
} as const

type DescribeContext = CommandContext<typeof flags>

export const describe = command({
  usage: '(-f FILENAME | TYPE [NAME_PREFIX | -l label] | TYPE/NAME) [options]',
  about: `Show an object in detail, with what belongs to it: events, pods, endpoints. Where there is no object of that name, all
objects whose names begin with it are shown.`,
  examples: ['kubectl describe pods/web', 'kubectl describe nodes', 'kubectl describe -f web.yaml'],
  flags,
  run: runDescribe,
})

async function runDescribe(call: DescribeContext): Promise<void> {
  const { flags: given, args, factory, err } = call
  if (args.length === 0 && given.filename.length === 0 && given.kustomize === '')
    throw new Error(
      'You must specify the type of resource to describe. Use "kubectl api-resources" for a complete list of supported resources.',
    )
  const selection = { ...given, args, typesMeanAll: true, chunkSize: given['chunk-size'] }
  const { infos, errors } = await fetchWhatCanBeHad(factory, selection)
  if (errors.length === 1 && isNotFound(errors[0]) && args.length === 2) return describeMatching(call, errors[0])
  const failures = await describeAll(call, infos)
  if (infos.length === 0 && errors.length === 0) await err(await nothing(call))
  throwAll([...errors, ...failures])
}

async function nothing({ flags: given, factory }: DescribeContext): Promise<string> {
  if (given['all-namespaces']) return 'No resources found\n'
  return `No resources found in ${(await factory.namespace()).name} namespace.\n`
}

/** Prints descriptions with two empty lines between them. Reports errors at the end, each reason once. */
async function describeAll(call: DescribeContext, infos: readonly ResourceObject[]): Promise<readonly unknown[]> {
  const failures = new Map<string, unknown>()
  let isFirst = true
  for (const info of infos)
    try {
      const described = await describeOne(call, info)
      await call.out(isFirst ? described : `\n\n${described}`)
      isFirst = false
    } catch (error) {
      if (!failures.has(errorMessage(error))) failures.set(errorMessage(error), error)
    }
  return [...failures.values()]
}

/** Describes every object whose name starts with the given one. */
async function describeMatching(call: DescribeContext, notFound: unknown): Promise<void> {
  const { args, factory, flags: given } = call
  const [type = '', prefix = ''] = args
  const selection = { args: [type], typesMeanAll: true, chunkSize: given['chunk-size'] }
  const { infos, errors } = await fetchWhatCanBeHad(factory, selection)
  throwAll(errors)
  const matching = infos.filter(({ name }) => name.startsWith(prefix))
  if (matching.length === 0) throw notFound
  for (const info of matching) await call.out(`${await describeOne(call, info)}\n`)
}

async function describeOne(call: DescribeContext, info: ResourceObject): Promise<string> {
  const { describeObject: describeInfo } = await import('./describers.js')
  const { 'show-events': showEvents, 'chunk-size': chunkSize } = call.flags
  return describeInfo(call.factory, info, { showEvents, chunkSize })
}
