import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import { compareJson } from './json-order.js'
import type { ScenarioVariables } from './scenario.js'

/** What random suffixes and hashes are made of: letters and digits that make no words. */
const safe = 'bcdfghjklmnpqrstvwxz2456789'

type Replacement = readonly [pattern: RegExp, label: string]

const uid = '[0-9a-f]{8}([-_])[0-9a-f]{4}\\1[0-9a-f]{4}\\1[0-9a-f]{4}\\1[0-9a-f]{12}'

/** What differs from run to run wherever it stands, in the order in which it is looked for. */
const labels: readonly Replacement[] = [
  [new RegExp(uid, 'g'), '<uid>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  [/\b([0-9a-f]{64}|[0-9a-f]{32})\b/g, '<id>'],
  [/\.\.\d{4}(_\d\d){5}\.\d+/g, '..<time>'],
]

const names: readonly Replacement[] = [
  [new RegExp(`-[${safe}]{8,10}-[${safe}]{5}(?![\\w-])`, 'g'), '-<hash>-<rand>'],
  [new RegExp(`-[${safe}]{8,10}(?=-?$|-<rand>|[^\\w-])`, 'g'), '-<hash>'],
  [/(pod-template-hash=)\w+/g, '$1<hash>'],
  [new RegExp(`(?<=[a-z0-9>])-[${safe}]{5}(?![\\w-])`, 'g'), '-<rand>'],
  [/-\d{8}(?!\w)/g, '-<minutes>'],
]

const messageParts: readonly Replacement[] = [
  [/\b(\d+h)?(\d+m)?\d+(\.\d+)?(ms|µs|s)\b/g, '<n>s'],
  [/Image size: \d+ bytes/g, 'Image size: <n> bytes'],
  [/(\d+)(?=->)/g, '<port>'],
  // What a registry or resolver answers is no behaviour of the cluster.
  [/(failed to (?:pull and unpack|resolve) (?:image|reference) \\?"[^"\\]+\\?").*$/s, '$1: <network error>'],
]

/** Their order says nothing. */
const unordered = ['conditions', 'taints', 'addresses', 'ports']
const hashes = ['pod-template-hash', 'controller-revision-hash', 'controller.kubernetes.io/hash']
const realAddresses = ['127.0.0.1', '0.0.0.0']

/** What differs from run to run is replaced by labels. */
export class ObjectNormalForm {
  readonly #variables: ScenarioVariables
  readonly #source: string

  /** Addresses that stand in `source`, the text of the scenario, are meant and stay. */
  constructor(variables: ScenarioVariables, source: string) {
    this.#variables = variables
    this.#source = source
  }

  /** The values of fields in `mask` play no part. */
  of(value: JsonValue, mask: readonly string[] = []): JsonValue {
    return this.#walk(value, '', mask)
  }

  #walk(value: JsonValue, key: string, mask: readonly string[]): JsonValue {
    if (mask.includes(key)) return '<any>'
    if (typeof value === 'string') return this.#string(value, key)
    if (Array.isArray(value)) return this.#list(value, key, mask)
    return typeof value === 'object' && value !== null ? this.#object(value as JsonObject, mask) : value
  }

  #string(text: string, key: string): string {
    if (text === '') return text
    if (key === 'resourceVersion' && text !== '0') return '<rv>'
    if (key === 'containerID' || key === 'imageID') return `<${key}>`
    if (hashes.includes(key) && !text.includes('-')) return '<hash>'
    return key === 'message' ? replaced(this.#text(text), messageParts) : this.#text(text)
  }

  #text(text: string): string {
    const { ns = '', id = '', node } = this.#variables
    const plain = replaced(text.replaceAll(ns, '{ns}').replaceAll(id, '{id}'), labels)
    const normal = replaced(plain.replace(/\b\d+\.\d+\.\d+\.\d+\b/g, this.#address), names)
    return node ? normal.replace(new RegExp(`(?<!\\w)${escaped(node)}(?![\\w-])`, 'g'), '<node>') : normal
  }

  readonly #address = (address: string): string =>
    this.#source.includes(address) || realAddresses.includes(address) ? address : '<ip>'

  #list(list: readonly JsonValue[], key: string, mask: readonly string[]): JsonValue {
    const normal = list.map((element) => this.#walk(element, '', mask))
    return unordered.includes(key) || normal.every(isCondition) ? normal.sort(compareJson) : normal
  }

  #object(object: JsonObject, mask: readonly string[]): JsonObject {
    const normal: Record<string, JsonValue> = {}
    for (const [key, value] of Object.entries(object))
      if (key !== 'managedFields') normal[this.#text(key)] = this.#member(key, value, mask)
    if (hasRandomName(object)) normal.name = `${normal.generateName}<rand>`
    return withoutChance(object, normal)
  }

  #member(key: string, value: JsonValue, mask: readonly string[]): JsonValue {
    if (key === 'nodePort' && value) return '<nodePort>'
    if (key === 'columnDefinitions') return (value as readonly { readonly name: string }[]).map(({ name }) => name)
    if (key === 'cells') return (value as readonly JsonValue[]).map((cell) => this.#cell(cell, mask))
    return this.#walk(value, key, mask)
  }

  #cell(cell: JsonValue, mask: readonly string[]): JsonValue {
    if (typeof cell !== 'string') return this.#walk(cell, '', mask)
    if (/^(?=.)(\d+d)?(\d+h)?(\d+m)?(\d+s)?$/.test(cell)) return '<age>'
    return this.#text(cell).replace(/\(\S+ ago\)/, '(<age> ago)')
  }
}

function replaced(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((result, [pattern, label]) => result.replace(pattern, label), text)
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Whether the server has made the name up, from `generateName`. */
export function hasRandomName({ name, generateName }: JsonObject): boolean {
  if (typeof name !== 'string' || typeof generateName !== 'string' || !name.startsWith(generateName)) return false
  return new RegExp(`^[${safe}]{5}$`).test(name.slice(generateName.length))
}

/** What a real runtime reports now in one way and now in another. */
function withoutChance(object: JsonObject, normal: Record<string, JsonValue>): JsonObject {
  const { phase, limits } = object as { readonly phase?: string; readonly limits?: JsonObject }
  // A runtime may know an image by several names.
  if (object.imageID && object.image) normal.image = '<image>'
  // The resources of a whole pod that ended depend on when its cgroup was last read.
  if ((phase === 'Succeeded' || phase === 'Failed') && object.qosClass) delete normal.resources
  // "No limit" as cgroup v1 says it, seen in the status of pods for a moment.
  if (limits?.memory === '9007199254740988Ki') {
    const { memory, ...others } = normal.limits as JsonObject
    if (Object.keys(others).length > 0) normal.limits = others
    else delete normal.limits
  }
  return normal
}

function isCondition(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && 'status' in value
}
