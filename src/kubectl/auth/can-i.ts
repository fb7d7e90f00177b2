import type { SelfSubjectAccessReview } from '../../api/authorization/v1/self-subject-access-review.js'
import type { SelfSubjectRulesReview } from '../../api/authorization/v1/self-subject-rules-review.js'
import { boolean, text } from '../../base/flags/flag-types.js'
import { NoMatchError } from '../../client/discovery/resource-mapper.js'
import { type CommandContext, command } from '../command.js'
import { ExitCodeError } from '../command-errors.js'
import { TabWriter } from '../printers/tab-writer.js'
import { plainRules, ruleCells } from './policy-rules.js'

const flags = {
  'all-namespaces': boolean('Check the action in all namespaces', { short: 'A' }),
  list: boolean('List all allowed actions'),
  'no-headers': boolean('Omit the header of the list'),
  quiet: boolean('Print nothing; only set the exit code', { short: 'q' }),
  subresource: text('The subresource, such as log'),
} as const

type CanIContext = CommandContext<typeof flags>

export const canI = command({
  usage: 'VERB [TYPE | TYPE/NAME | NONRESOURCEURL] [options]',
  about: 'Check whether an action is allowed. Prints yes or no; the exit code is 0 or 1.',
  examples: ['kubectl auth can-i create pods', "kubectl auth can-i '*' '*' -A", 'kubectl auth can-i --list'],
  flags,
  run: runCanI,
})

const reviews = '/apis/authorization.k8s.io/v1'
const resourceVerbs =
  'get list watch create update patch delete deletecollection use bind impersonate * approve sign escalate attest'
const pathVerbs = 'get put post head options delete patch *'
/** Resources that rules may name but no server serves. */
const unserved = ['users', 'groups']

async function runCanI(call: CanIContext): Promise<void> {
  const { flags: given, args, factory } = call
  if (given.list) return list(call)
  const [verb, what] = args
  if (args.length !== 2 || verb === undefined || what === undefined)
    throw new Error(`you must specify two arguments: verb resource or verb resource/resourceName.
See 'kubectl auth can-i -h' for help and examples.`)
  const namespace = given['all-namespaces'] ? '' : (await factory.namespace()).name
  const spec = what.startsWith('/')
    ? { nonResourceAttributes: await pathAttributes(call, verb, what) }
    : { resourceAttributes: { namespace, ...(await resourceAttributes(call, verb, what)) } }
  if (given['no-headers']) throw new Error('--no-headers cannot be set without --list specified')
  await answer(call, spec)
}

async function answer({ flags: given, factory, out }: CanIContext, spec: object): Promise<void> {
  const { status } = await (await factory.rest()).json<SelfSubjectAccessReview>({
    method: 'POST',
    path: `${reviews}/selfsubjectaccessreviews`,
    body: { kind: 'SelfSubjectAccessReview', apiVersion: 'authorization.k8s.io/v1', spec },
  })
  const { allowed = false, reason = '', evaluationError = '' } = status ?? {}
  const why = [reason, evaluationError].filter((each) => each !== '').map((each) => ` - ${each}`)
  if (!given.quiet) await out(allowed ? 'yes\n' : `no${why.join('')}\n`)
  if (!allowed) throw new ExitCodeError(1)
}

async function pathAttributes({ flags: given, err }: CanIContext, verb: string, path: string) {
  if (given.subresource !== '') throw new Error('--subresource can not be used with NonResourceURL')
  if (!pathVerbs.split(' ').includes(verb)) await err(`Warning: verb '${verb}' is not a known verb\n\n`)
  return { verb, path }
}

async function resourceAttributes(call: CanIContext, verb: string, what: string) {
  const { flags: given, err } = call
  const [type = '', ...names] = what.split('/')
  const found = await resourceOf(call, type)
  if (!given['all-namespaces']) {
    if (found.namespaced === false) await err(`Warning: ${notNamespaced(found)}\n\n`)
    if (!resourceVerbs.split(' ').includes(verb)) await err(`Warning: verb '${verb}' is not a known verb\n\n`)
  }
  const { group, resource } = found
  return { verb, group, resource, subresource: given.subresource, name: names.join('/') }
}

interface FoundResource {
  readonly group: string
  readonly resource: string
  /** Undefined if unknown. */
  readonly namespaced?: boolean
}

function notNamespaced({ group, resource }: FoundResource): string {
  return `resource '${resource}' is not namespace scoped${group === '' ? '' : ` in group '${group}'`}`
}

/** Also accepts resources that the server does not serve, because rules may name them. */
async function resourceOf({ factory, err }: CanIContext, type: string): Promise<FoundResource> {
  if (type === '*') return { group: '', resource: type }
  try {
    const { group, plural, namespaced } = await (await factory.mapper()).resource(type.toLowerCase())
    return { group, resource: plural, namespaced }
  } catch (error) {
    if (!(error instanceof NoMatchError)) throw error
    const [name = '', ...group] = type.toLowerCase().split('.')
    const place = group.length === 0 ? '' : ` in group '${group.join('.')}'`
    if (!unserved.includes(type.toLowerCase()))
      await err(`Warning: the server doesn't have a resource type '${name}'${place}\n\n`)
    return { group: '', resource: type }
  }
}

async function list({ flags: given, args, factory, out, err }: CanIContext): Promise<void> {
  if (args.length !== 0) throw new Error('list option must be specified with no arguments')
  if (given.quiet || given['all-namespaces'] || given.subresource !== '')
    throw new Error("list option can't be specified with neither quiet, all-namespaces nor subresource options")
  const { name: namespace } = await factory.namespace()
  const { status } = await (await factory.rest()).json<SelfSubjectRulesReview>({
    method: 'POST',
    path: `${reviews}/selfsubjectrulesreviews`,
    body: { kind: 'SelfSubjectRulesReview', apiVersion: 'authorization.k8s.io/v1', spec: { namespace } },
  })
  const { resourceRules = [], nonResourceRules = [], incomplete, evaluationError = '' } = status ?? {}
  if (incomplete) await err(`Warning: the list may be incomplete: ${evaluationError}\n`)
  const writer = new TabWriter()
  if (!given['no-headers']) writer.line(['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'])
  for (const rule of plainRules([...resourceRules, ...nonResourceRules])) writer.line(ruleCells(rule))
  await out(writer.flush())
}
