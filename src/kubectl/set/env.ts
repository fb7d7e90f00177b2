import { boolean, csvList, repeated, text } from '../../base/flags/flag-types.js'
import type { JsonObject } from '../../schema/declaration.js'
import { objectIn } from '../../schema/json-value.js'
import { type CommandContext, command } from '../command.js'
import { fetchObjects } from '../resources/fetch.js'
import { type ResourceObject, resourceName } from '../resources/resource-object.js'
import { rejectAllWithSelector } from '../resources/selection.js'
import {
  type ChangedContainer,
  changePodSpecs,
  containersInPodSpec,
  inside,
  matchesName,
  podSpecPath,
  setFlags,
} from './containers.js'

const flags = {
  ...setFlags('kubectl-set'),
  containers: text('Names of the containers; * for all', { initial: '*', short: 'c' }),
  env: repeated('Variables: NAME=value', { short: 'e' }),
  from: text('Take variables from this config map or secret'),
  keys: csvList('With --from: only these keys'),
  list: boolean('List the current values'),
  overwrite: boolean('Allow existing values to be changed', { initial: true }),
  prefix: text('With --from: prefix of the names'),
  resolve: boolean('With --list: show the values of references'),
} as const

type EnvContext = CommandContext<typeof flags>

interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: JsonObject
}

export const setEnv = command({
  usage: 'RESOURCE/NAME KEY_1=VAL_1 ... KEY_N=VAL_N [options]',
  about: 'Set environment variables of containers: NAME=value sets, NAME- removes.',
  examples: [
    'kubectl set env deployment/web MODE=fast',
    'kubectl set env deployment/web --from=configmap/settings',
    'kubectl set env deployment/web --list',
  ],
  flags,
  run: runSetEnv,
})

async function runSetEnv(call: EnvContext): Promise<void> {
  const { flags: given, args } = call
  const isVariable = (word: string) => /^[-._a-zA-Z][-._a-zA-Z0-9]*=|.-$/.test(word)
  const first = args.findIndex(isVariable)
  const resources = first === -1 ? args : args.slice(0, first)
  const words = [...(first === -1 ? [] : args.slice(first)), ...given.env]
  if (resources.length === 0 && given.filename.length === 0)
    throw new Error('one or more resources must be specified as <resource> <name> or <resource>/<name>')
  if (given.list) return listVariables(call, resources)
  const added = [...words.filter((word) => word.includes('=')).map(variable), ...(await referred(call))]
  const removed = words.filter((word) => !word.includes('=')).map((word) => word.slice(0, -1))
  await changePodSpecs(call, resources, 'env updated', (spec, info) =>
    withVariables(call, spec, info, { added, removed }),
  )
}

function variable(word: string): Variable {
  const at = word.indexOf('=')
  return { name: word.slice(0, at), value: word.slice(at + 1) }
}

/** Returns variables that refer to the keys of a config map or secret. */
async function referred({ flags: given, factory, err }: EnvContext): Promise<readonly Variable[]> {
  if (given.from === '') return []
  const [info] = await fetchObjects(factory, { args: [given.from] })
  const { resource, name, object } = info!
  const references: Readonly<Record<string, string>> = { configmaps: 'configMapKeyRef', secrets: 'secretKeyRef' }
  const reference = references[resourceName(resource)]
  if (reference === undefined) throw new Error(`unsupported resource specified in --from`)
  const keys = Object.keys(objectIn(object, 'data') ?? {}).sort()
  const chosen = keys.filter((key) => given.keys.length === 0 || given.keys.includes(key))
  for (const key of chosen)
    if (variableName(key) !== key) await err(`Warning: key ${key} transferred to ${variableName(key)}\n`)
  return chosen.map((key) => ({
    name: `${given.prefix}${variableName(key)}`,
    valueFrom: { [reference]: { key, name } },
  }))
}

function variableName(key: string): string {
  return key.replace(/[^a-zA-Z0-9_]/g, '_').toUpperCase()
}

interface Changes {
  readonly added: readonly Variable[]
  readonly removed: readonly string[]
}

async function withVariables(
  { flags: given, err }: EnvContext,
  spec: JsonObject,
  { resource, name }: ResourceObject,
  changes: Changes,
): Promise<JsonObject> {
  const containers = containersInPodSpec(spec)
  const isChosen = ({ name: container }: ChangedContainer) => matchesName(container, given.containers)
  if (!containers.some(isChosen))
    await err(`Warning: ${resource.kind}/${name} does not have any containers matching "${given.containers}"\n`)
  const taken = given.overwrite
    ? undefined
    : containers
        .filter(isChosen)
        .map((each) => takenIn(each, changes))
        .find((each) => each)
  if (taken)
    throw new Error(
      `${resource.plural}/${name} '${taken.name}' already has a value (${taken.value ?? ''}), and --overwrite is false`,
    )
  return { ...spec, containers: containers.map((each) => (isChosen(each) ? withEnv(each, changes) : each)) }
}

function takenIn({ env = [] }: ChangedContainer, { added }: Changes): Variable | undefined {
  return (env as unknown as readonly Variable[]).find(({ name }) => added.some((each) => each.name === name))
}

function withEnv(container: ChangedContainer, { added, removed }: Changes): JsonObject {
  const before = (container.env ?? []) as unknown as readonly Variable[]
  const changed = before.map((each) => added.find(({ name }) => name === each.name) ?? each)
  const fresh = added.filter(({ name }) => !before.some((each) => each.name === name))
  const env = [...changed, ...fresh].filter(({ name }) => !removed.includes(name))
  const { env: _, ...rest } = container
  return (env.length === 0 ? rest : { ...rest, env }) as unknown as JsonObject
}

async function listVariables({ flags: given, factory, out }: EnvContext, resources: readonly string[]): Promise<void> {
  rejectAllWithSelector(given)
  for (const { resource, name, object } of await fetchObjects(factory, { ...given, args: resources })) {
    const path = podSpecPath(object)
    for (const container of path ? containersInPodSpec(inside(object, path)!) : []) {
      await out(`# ${resource.kind} ${name}, container ${container.name}\n`)
      const lines = ((container.env ?? []) as unknown as readonly Variable[]).map(shown)
      await out(lines.map((line) => `${line}\n`).join(''))
    }
  }
}

function shown({ name, value = '', valueFrom }: Variable): string {
  if (!valueFrom) return `${name}=${value}`
  const {
    configMapKeyRef: map,
    secretKeyRef: secret,
    fieldRef: field,
  } = valueFrom as Readonly<Record<string, Readonly<Record<string, string>>>>
  if (map) return `# ${name} from configmap ${map.name}, key ${map.key}`
  if (secret) return `# ${name} from secret ${secret.name}, key ${secret.key}`
  return field ? `# ${name} from field path ${field.fieldPath}` : `# ${name} from elsewhere`
}
