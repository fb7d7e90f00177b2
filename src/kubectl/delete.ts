import { boolean, signedDuration, signedInteger, text } from '../base/flags/flag-types.js'
import type { JsonObject } from '../schema/declaration.js'
import { objectIn, stringIn } from '../schema/json-value.js'
import { type CommandContext, command } from './command.js'
import { throwAll } from './command-errors.js'
import { isNotFound } from './factory/rest.js'
import { type DryRun, dryRunFlag, dryRunOf } from './printers/result.js'
import { fetchSelected } from './resources/fetch.js'
import {
  isListObject,
  itemsOf,
  kindName,
  metadataOf,
  objectPath,
  type ResourceObject,
} from './resources/resource-object.js'
import { fileFlags, rejectAllWithSelector, select, withFileContext } from './resources/selection.js'
import { noTimeout, waitUntilDeleted } from './wait/deletion.js'

const flags = {
  ...fileFlags,
  ...dryRunFlag,
  all: boolean('Select all objects of the given types'),
  'all-namespaces': boolean('Select objects in all namespaces', { short: 'A' }),
  cascade: text('How dependents are deleted: background, orphan or foreground', {
    initial: 'background',
    bare: 'background',
  }),
  'field-selector': text('Select objects by fields'),
  force: boolean('Delete immediately, without confirmation from the node'),
  'grace-period': signedInteger('Grace period in seconds; -1 uses the default of the object', { initial: -1 }),
  'ignore-not-found': boolean('Do not fail if an object does not exist'),
  interactive: boolean('Ask for confirmation before the deletion', { short: 'i' }),
  now: boolean('Same as --grace-period=1'),
  output: text('Output format: name', { short: 'o' }),
  raw: text('Send a DELETE request to this path'),
  selector: text('Select objects by labels', { short: 'l' }),
  timeout: signedDuration('How long to wait for the deletion; 0 waits without a limit'),
  wait: boolean('Wait until the objects are deleted', { initial: true }),
} as const

type DeleteContext = CommandContext<typeof flags>

export const deleteCommand = command({
  usage: '([-f FILENAME] | [-k DIRECTORY] | TYPE [(NAME | -l label | --all)]) [options]',
  about: 'Delete objects by name, by label or from files.',
  examples: ['kubectl delete pod web', 'kubectl delete -f web.yaml', 'kubectl delete pods -l app=web --now'],
  flags,
  run: runDelete,
})

interface Deleting {
  readonly dryRun: DryRun
  readonly body: JsonObject
  readonly waits: boolean
}

async function runDelete(call: DeleteContext): Promise<void> {
  const { flags: given, factory, err, out } = call
  const deleting = await check(call)
  if (given.raw !== '') return out(await (await factory.rest()).bytes({ method: 'DELETE', path: given.raw }))
  if (deleting.body.gracePeriodSeconds === 0)
    await err(
      'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n',
    )
  const { infos, errors } = await found(call)
  if (!['', 'name'].includes(given.output))
    throw new Error(`unexpected -o output mode: ${given.output}. We only support '-o name'`)
  await warnOfCluster(call, infos)
  if (given.interactive && !(await agreed(call, infos))) return
  const deleted: ResourceObject[] = []
  for (const info of infos)
    try {
      if (await deleteOne(call, info, deleting)) deleted.push(info)
    } catch (error) {
      errors.push(error)
    }
  if (infos.length === 0 && errors.length === 0 && !given['ignore-not-found'] && given.output !== 'name')
    await out('No resources found\n')
  throwAll(errors)
  if (deleting.waits) await waitFor(call, deleted)
}

/** Named objects are deleted without a get. Lists are fetched first. */
async function found(
  call: DeleteContext,
): Promise<{ readonly infos: readonly ResourceObject[]; readonly errors: unknown[] }> {
  const { flags: given, args, factory } = call
  const selection = { ...given, args }
  const { targets, manifests, errors: refused } = await select(factory, selection)
  if (targets.every(({ name }) => name !== '')) {
    const named = targets.map((target) => ({ ...target, object: {}, source: '' }))
    return { infos: manifests.length > 0 ? manifests : named, errors: [...refused] }
  }
  const { fetched, errors } = await fetchSelected(factory, selection)
  const infos = fetched.flatMap(({ resource, answers }) =>
    answers
      .flatMap((answer) => (isListObject(answer) ? itemsOf(answer) : [answer]))
      .map((object): ResourceObject => {
        const { name = '', namespace = '' } = metadataOf(object)
        return { resource, name, namespace, object, source: '' }
      }),
  )
  return { infos, errors: [...errors] }
}

async function check(call: DeleteContext): Promise<Deleting> {
  const { flags: given, isSet } = call
  const dryRun = dryRunOf(given)
  if (given.now && isSet('grace-period')) throw new Error('--now and --grace-period cannot be specified together')
  if (given['grace-period'] > 0 && given.force)
    throw new Error('--force and --grace-period greater than 0 cannot be specified together')
  if (given.all && (given.selector.trim() !== '' || given['field-selector'].trim() !== ''))
    throw new Error("setting 'all' parameter but found a non empty selector. ")
  rejectAllWithSelector(given)
  const propagationPolicy = policyOf(given.cascade)
  const grace = graceOf(given)
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy,
    ...(grace >= 0 && { gracePeriodSeconds: grace }),
    ...(dryRun === 'server' && { dryRun: ['All'] }),
  }
  return { dryRun, body, waits: given.wait && dryRun === 'none' }
}

const policies: Readonly<Record<string, string>> = {
  background: 'Background',
  true: 'Background',
  orphan: 'Orphan',
  false: 'Orphan',
  foreground: 'Foreground',
}

function policyOf(cascade: string): string {
  const policy = Object.hasOwn(policies, cascade) ? policies[cascade] : undefined
  if (policy) return policy
  throw new Error(`invalid cascade value (${cascade}). Must be "background", "foreground", or "orphan"`)
}

/** A grace period of 0 needs `--force`, so that nobody deletes immediately by accident. */
function graceOf(given: { readonly now: boolean; readonly force: boolean; readonly 'grace-period': number }): number {
  const { now, force, 'grace-period': grace } = given
  if (now) return 1
  if (force) return Math.max(grace, 0)
  return grace === 0 ? 1 : grace
}

async function warnOfCluster(
  { flags: given, factory, err }: DeleteContext,
  infos: readonly ResourceObject[],
): Promise<void> {
  const { isGiven } = await factory.namespace()
  if (isGiven && !given['all-namespaces'] && infos.some(({ resource }) => !resource.namespaced))
    await err('Warning: deleting cluster-scoped resources, not scoped to the provided namespace\n')
}

async function agreed({ factory, out }: DeleteContext, infos: readonly ResourceObject[]): Promise<boolean> {
  const names = infos.map(({ resource, name }) => `${kindName(resource)}/${name}\n`).join('')
  await out(
    `You are about to delete the following ${infos.length} resource(s):\n${names}Do you want to continue? (y/n): `,
  )
  let answer = ''
  for await (const chunk of factory.environment.input) {
    answer += Buffer.from(chunk).toString()
    if (answer.includes('\n')) break
  }
  if (/^y(es)?\s*$/i.test(answer.split('\n')[0] ?? '')) return true
  await out('deletion is cancelled\n')
  return false
}

/** Returns whether the object existed. */
async function deleteOne(call: DeleteContext, info: ResourceObject, { dryRun, body }: Deleting): Promise<boolean> {
  const { flags: given, factory } = call
  try {
    if (dryRun !== 'client') await (await factory.rest()).json({ method: 'DELETE', path: objectPath(info), body })
  } catch (error) {
    const isIgnored = given['ignore-not-found'] || given.all || given.selector !== '' || given['field-selector'] !== ''
    if (isNotFound(error) && isIgnored) return false
    throw info.source === '' ? error : withFileContext('deleting', info, error)
  }
  await tell(call, info, dryRun)
  return true
}

async function tell(
  { flags: given, out }: DeleteContext,
  { resource, name }: ResourceObject,
  dryRun: DryRun,
): Promise<void> {
  const kind = kindName(resource)
  if (given.output === 'name') return out(`${kind}/${name}\n`)
  const isForced = given.force && given['grace-period'] <= 0
  const dry = dryRun === 'none' ? '' : dryRun === 'client' ? ' (dry run)' : ' (server dry run)'
  await out(`${kind} "${name}" ${isForced ? 'force deleted' : 'deleted'}${dry}\n`)
}

/** Waits for all objects at the same time. Objects that are already gone count as deleted. */
async function waitFor({ flags: given, factory }: DeleteContext, infos: readonly ResourceObject[]): Promise<void> {
  const rest = await factory.rest()
  const { clock } = factory.environment
  const limit = given.timeout > 0 ? given.timeout : noTimeout
  const deadline = clock.monotonic() + limit
  for (const info of infos) {
    const uid = stringIn(objectIn(info.object, 'metadata') ?? {}, 'uid') || undefined
    await waitUntilDeleted(rest, info, { clock, deadline, uid })
  }
}
