import { boolean, text } from '../../base/flags/flag-types.js'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import { NoMatchError } from '../../client/discovery/resource-mapper.js'
import type { JsonObject } from '../../schema/declaration.js'
import { objectIn, stringIn } from '../../schema/json-value.js'
import { type CommandContext, command } from '../command.js'
import { PlainMessageError } from '../command-errors.js'
import type { Factory } from '../factory/factory.js'
import { isNotFound } from '../factory/rest.js'
import type { Explained } from './schema.js'

const flags = {
  'api-version': text('Use this version of the resource: group/version'),
  output: text('Output format: plaintext or plaintext-openapiv2', { initial: 'plaintext' }),
  recursive: boolean('Print all fields recursively'),
} as const

type ExplainContext = CommandContext<typeof flags>

export const explain = command({
  usage:
    'TYPE [--recursive=FALSE|TRUE] [--api-version=api-version-group] [--output=plaintext|plaintext-openapiv2] [options]',
  about: 'Describe the fields of a resource. A path such as pods.spec.containers selects a field.',
  examples: [
    'kubectl explain pods',
    'kubectl explain deployments.spec.strategy',
    'kubectl explain cronjobs --recursive',
  ],
  flags,
  run: runExplain,
})

async function runExplain(call: ExplainContext): Promise<void> {
  const { flags: given, args, out } = call
  const [argument] = args
  if (argument === undefined)
    throw new Error(
      'You must specify the type of resource to explain. Use "kubectl api-resources" for a complete list of supported resources.',
    )
  if (args.length > 1) throw new Error('We accept only this format: explain RESOURCE')
  const explained = await explainedBy(call, argument)
  if (given.output === 'plaintext-openapiv2') return explainByModel(call, explained)
  const document = await documentOf(call, explained)
  if (given.output !== 'plaintext') throw new Error(`unrecognized format: ${given.output}`)
  if (!document) return explainByModel(call, explained)
  const { fieldsText, headOf } = await import('./schema.js')
  const head = headOf(document, explained)
  await out(head.text)
  await out(`${fieldsText(document, head.schema, explained)}\n`)
}

async function explainedBy(call: ExplainContext, argument: string): Promise<Explained> {
  const { flags: given, factory } = call
  const [name = '', ...path] = argument.replace(/\.$/, '').split('.')
  const resource = await resourceOf(factory, name)
  const { plural, kind } = resource
  const isRecursive = given.recursive
  if (given['api-version'] === '') {
    const { group, version } = resource
    return { group, version, plural, kind, path: withoutGroup(path, name, resource), isRecursive }
  }
  const [version = '', group = ''] = given['api-version'].split('/').reverse()
  return { group, version, plural, kind, path, isRecursive }
}

async function resourceOf(factory: Factory, name: string): Promise<DiscoveredResource> {
  try {
    return await (await factory.mapper()).resource(name)
  } catch (error) {
    throw error instanceof NoMatchError ? new PlainMessageError(error.message, { cause: error }) : error
  }
}

/** Removes the group: `deployments.apps.spec` becomes `deployments.spec`. */
function withoutGroup(path: readonly string[], name: string, { plural, group }: DiscoveredResource) {
  const prefix = group.split('.')
  const hasGroup = name === plural && group !== '' && prefix.every((word, index) => path[index] === word)
  return hasGroup ? path.slice(prefix.length) : path
}

/** The OpenAPI v3 document of the version; undefined if the server has none. */
async function documentOf({ factory }: ExplainContext, explained: Explained): Promise<JsonObject | undefined> {
  const rest = await factory.rest()
  const index = await rest.json<JsonObject>({ path: '/openapi/v3' }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
  if (!index) return undefined
  const { group, version, plural } = explained
  const key = group === '' ? `api/${version}` : `apis/${group}/${version}`
  const address = stringIn(objectIn(objectIn(index, 'paths') ?? {}, key), 'serverRelativeURL')
  if (address === '') throw new Error(`couldn't find resource for "${group}/${version}, Resource=${plural}"`)
  const [path = '', query = ''] = address.split('?')
  return rest.json<JsonObject>({ path, query: Object.fromEntries(new URLSearchParams(query)) })
}

/** Prints the explanation from OpenAPI v2. */
async function explainByModel({ factory, out }: ExplainContext, explained: Explained): Promise<void> {
  const document = await (await factory.rest()).json<JsonObject>({ path: '/openapi/v2' })
  const { modelText } = await import('./model.js')
  await out(modelText(document, explained))
}
