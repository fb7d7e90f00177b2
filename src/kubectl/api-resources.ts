import { boolean, csvList, text } from '../base/flags/flag-types.js'
import { type DiscoveredResource, groupVersion } from '../client/discovery/discovered.js'
import { compareText } from '../schema/text-order.js'
import { type CommandContext, command } from './command.js'
import { CommandUsageError, throwAll } from './command-errors.js'
import { TabWriter } from './printers/tab-writer.js'
import { resourceName } from './resources/resource-object.js'

const flags = {
  'api-group': text('Show only resources of this API group'),
  cached: boolean('Use the cached list of resources if there is one'),
  categories: csvList('Show only resources of all these categories'),
  namespaced: boolean('Show only namespaced resources, or with =false only cluster-scoped ones', { initial: true }),
  'no-headers': boolean('Omit the header'),
  output: text('Output format: wide or name', { short: 'o' }),
  'sort-by': text('Sort by name or kind; by group and name by default'),
  verbs: csvList('Show only resources that support all these verbs'),
} as const

type ApiResourcesContext = CommandContext<typeof flags>

export const apiResources = command({
  usage: '[flags] [options]',
  about: 'List the resources of the server with short names, versions and kinds.',
  examples: ['kubectl api-resources', 'kubectl api-resources --verbs=list --namespaced -o name'],
  flags,
  run: runApiResources,
})

async function runApiResources(call: ApiResourcesContext): Promise<void> {
  const { flags: given, factory, out } = call
  check(call)
  const discover = await factory.discover()
  const { failures } = await discover({ isFresh: !given.cached })
  const all = await (await factory.mapper()).preferred()
  const wanted = all.filter((resource) => isWanted(resource, call)).sort(order(given['sort-by']))
  await out(given.output === 'name' ? wanted.map((each) => `${resourceName(each)}\n`).join('') : table(wanted, given))
  throwAll(failures.map(({ groupVersion: version, error }) => unavailable(version, error)))
}

function check({ args, path, flags: given }: ApiResourcesContext): void {
  if (args.length > 0) throw new CommandUsageError(path, `unexpected arguments: [${args.join(' ')}]`)
  if (!['', 'wide', 'name'].includes(given.output)) throw new Error(`--output ${given.output} is not available`)
  if (!['', 'name', 'kind'].includes(given['sort-by'])) throw new Error('--sort-by accepts only name or kind')
}

function unavailable(version: string, error: Error): Error {
  return new Error(
    `unable to retrieve the complete list of server APIs: ${version}: ${error.message.replace(/^error: /, '')}`,
    { cause: error },
  )
}

function isWanted(resource: DiscoveredResource, { flags: given, isSet }: ApiResourcesContext): boolean {
  const { verbs, group, namespaced, categories } = resource
  if (verbs.length === 0) return false
  if (isSet('api-group') && group !== given['api-group']) return false
  if (isSet('namespaced') && namespaced !== given.namespaced) return false
  return (
    given.verbs.every((verb) => verbs.includes(verb)) && given.categories.every((each) => categories.includes(each))
  )
}

type Order = (left: DiscoveredResource, right: DiscoveredResource) => number

function order(by: string): Order {
  if (by === 'name') return (left, right) => compareText(left.plural, right.plural)
  if (by === 'kind') return (left, right) => compareText(left.kind, right.kind)
  return (left, right) => compareText(left.group, right.group) || compareText(left.plural, right.plural)
}

function table(resources: readonly DiscoveredResource[], given: ApiResourcesContext['flags']): string {
  const writer = new TabWriter()
  const isWide = given.output === 'wide'
  if (!given['no-headers'])
    writer.line([
      ...['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND'],
      ...(isWide ? ['VERBS', 'CATEGORIES'] : []),
    ])
  for (const { plural, shortNames, group, version, namespaced, kind, verbs, categories } of resources)
    writer.line([
      ...[plural, shortNames.join(','), groupVersion(group, version), String(namespaced), kind],
      ...(isWide ? [verbs.join(','), categories.join(',')] : []),
    ])
  return writer.flush()
}
