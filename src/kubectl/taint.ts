import type { Taint } from '../api/core/v1/taint.js'
import { boolean, text } from '../base/flags/flag-types.js'
import { NoMatchError } from '../client/discovery/resource-mapper.js'
import { objectIn } from '../schema/json-value.js'
import { labelKey, labelValue } from '../schema/label-names.js'
import { managerFlag, validateFlag } from './changes/change-flags.js'
import { sendChange } from './changes/send-change.js'
import { type CommandContext, command } from './command.js'
import { CommandUsageError, PlainMessageError, throwAll } from './command-errors.js'
import { outputFlags } from './printers/output.js'
import { dryRunFlag, dryRunOf, resultPrinter } from './printers/result.js'
import { fetchObjects } from './resources/fetch.js'
import type { ResourceObject } from './resources/resource-object.js'

const flags = {
  ...outputFlags,
  ...dryRunFlag,
  ...validateFlag,
  ...managerFlag('kubectl-taint'),
  all: boolean('Select all nodes'),
  overwrite: boolean('Allow existing taints to be changed'),
  selector: text('Select nodes by labels', { short: 'l' }),
} as const

type TaintContext = CommandContext<typeof flags>

export const taint = command({
  usage: 'NODE NAME KEY_1=VAL_1:TAINT_EFFECT_1 ... KEY_N=VAL_N:TAINT_EFFECT_N [options]',
  about: 'Set or remove (with - at the end) taints of nodes. The effect is NoSchedule, PreferNoSchedule or NoExecute.',
  examples: ['kubectl taint nodes node-1 dedicated=ours:NoSchedule', 'kubectl taint nodes node-1 dedicated-'],
  flags,
  run: runTaint,
})

async function runTaint(call: TaintContext): Promise<void> {
  const { flags: given, factory } = call
  const { names, changes } = await read(call)
  const dryRun = dryRunOf(given)
  const printer = await resultPrinter(call, given, 'none') // the original says nothing of a dry run here
  const selection = given.all || given.selector !== '' ? { ...given, args: ['nodes'] } : { args: ['nodes', ...names] }
  for (const node of await fetchObjects(factory, selection)) {
    const { taints, outcome } = changed(node, changes, given.overwrite)
    const wanted = { ...node.object, spec: { ...objectIn(node.object, 'spec'), taints } }
    const options = { dryRun, manager: given['field-manager'] }
    await printer.print((await sendChange(factory, node, wanted as never, options)).object, outcome)
  }
}

interface TaintWish {
  readonly names: readonly string[]
  readonly changes: TaintChanges
}

async function read({ flags: given, args, path, factory }: TaintContext): Promise<TaintWish> {
  const isTaint = (word: string) => /[=:]|-$/.test(word)
  const first = args.findIndex(isTaint)
  const resources = first === -1 ? args : args.slice(0, first)
  const words = first === -1 ? [] : args.slice(first)
  const late = words.find((word) => !isTaint(word))
  if (late !== undefined) throw new Error(`all resources must be specified before taint changes: ${late}`)
  const [type, ...names] = resources
  if (type === undefined) throw new Error('one or more resources must be specified as <resource> <name>')
  if (words.length === 0) throw new Error('at least one taint update is required')
  const changes = readTaints(words, (problem) => new CommandUsageError(path, problem))
  const { kind } = await (await factory.mapper()).resource(type.toLowerCase()).catch((error: unknown) => {
    throw error instanceof NoMatchError ? new PlainMessageError(error.message) : error
  })
  if (kind !== 'Node') throw new Error(`invalid resource type ${type.toLowerCase()}, only node types are supported`)
  refuseBoth(changes)
  if (given.all && given.selector !== '')
    throw new Error("setting 'all' parameter with a non empty selector is prohibited")
  if (!given.all && given.selector === '' && names.length === 0)
    throw new Error("at least one resource name must be specified since 'all' parameter is not set")
  return { names, changes }
}

function refuseBoth({ added, removed }: TaintChanges): void {
  const both = added.flatMap((taint) =>
    removed.filter(({ key, effect }) => key === taint.key && (effect === '' || effect === taint.effect)),
  )
  if (both.length === 0) return
  const told = both.map(({ key, effect }) => `${key}=${effect}`).join(', ')
  throw new Error(`can not both modify and remove the following taint(s) in the same command: ${told}`)
}

interface Changed {
  readonly taints: readonly Taint[]
  readonly outcome: string
}

function changed({ object, name }: ResourceObject, { added, removed }: TaintChanges, isOverwriting: boolean): Changed {
  const before = (objectIn(object, 'spec')?.taints ?? []) as unknown as readonly Taint[]
  const taken = added.filter((taint) => before.some((each) => isSameTaint(each, taint)))
  if (!isOverwriting && taken.length > 0) {
    const keys = taken.map(({ key }) => key).join(',')
    throw new Error(`node ${name} already has ${keys} taint(s) with same effect(s) and --overwrite is false`)
  }
  let taints = [...added, ...before.filter((taint) => !added.some((each) => isSameTaint(each, taint)))]
  const isGrown = taints.length !== before.length
  let isShrunk = false
  const errors: Error[] = []
  for (const each of removed) {
    const left = taints.filter(({ key, effect }) => key !== each.key || (each.effect !== '' && effect !== each.effect))
    isShrunk = left.length !== taints.length
    if (!isShrunk) errors.push(new Error(`taint "${taintText(each)}" not found`))
    taints = left
  }
  throwAll(errors)
  return { taints, outcome: (isGrown && isShrunk) || isOverwriting ? 'modified' : isGrown ? 'tainted' : 'untainted' }
}

/** A taint to remove. Without an effect all taints of the key are removed. */
interface RemovedTaint {
  readonly key: string
  readonly effect: string
}

interface TaintChanges {
  readonly added: readonly Taint[]
  readonly removed: readonly RemovedTaint[]
}

const effects: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** Parses `key=value:Effect` and `key:Effect` to set, `key-` and `key:Effect-` to remove. */
function readTaints(words: readonly string[], failure: (problem: string) => Error): TaintChanges {
  const added: Taint[] = []
  const removed: RemovedTaint[] = []
  for (const word of words) {
    const { key, value, effect } = readTaint(word.replace(/-$/, ''), failure)
    if (word.endsWith('-')) {
      removed.push({ key, effect })
      continue
    }
    if (effect === '') throw failure(`invalid taint spec: ${word}`)
    const taint = { key, ...(value !== '' && { value }), effect } as Taint
    if (added.some((each) => isSameTaint(each, taint)))
      throw failure(`duplicated taints with the same key and effect: {${key} ${value} ${effect} <nil>}`)
    added.push(taint)
  }
  return { added, removed }
}

interface PlainTaint {
  readonly key: string
  readonly value: string
  readonly effect: string
}

function readTaint(text: string, failure: (problem: string) => Error): PlainTaint {
  const [first = '', effect, ...more] = text.split(':')
  if (more.length > 0) throw failure(`invalid taint spec: ${text}`)
  if (effect !== undefined && !effects.includes(effect))
    throw failure(`invalid taint effect: ${effect}, unsupported taint effect`)
  const [key = '', value = '', ...others] = effect === undefined ? [first] : first.split('=')
  if (others.length > 0) throw failure(`invalid taint spec: ${text}`)
  const problems = labelValue(value).length > 0 ? labelValue(value) : labelKey(key)
  if (problems.length > 0) throw failure(`invalid taint spec: ${text}, ${problems.join('; ')}`)
  return { key, value, effect: effect ?? '' }
}

function isSameTaint(left: Taint, right: Taint): boolean {
  return left.key === right.key && left.effect === right.effect
}

/** `key:Effect`, or `key`. */
function taintText({ key, effect }: RemovedTaint): string {
  return effect === '' ? key : `${key}:${effect}`
}
