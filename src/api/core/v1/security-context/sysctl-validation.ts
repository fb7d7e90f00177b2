import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import type { PodSpec } from '../pod/spec.js'

type Host = Pick<PodSpec, 'hostNetwork' | 'hostIPC' | 'securityContext'>

const segment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const source = `^(${segment}[\\./])*${segment}$`
const form = new RegExp(source)
const longestName = 253

/** Validates the sysctls of a pod. Those of a host namespace are only allowed if `old` has them. */
export function validateSysctls(spec: Host, path: FieldPath, old: PodSpec | undefined): readonly FieldError[] {
  const sysctls = spec.securityContext?.sysctls
  if (!sysctls) return field.none
  const errors: FieldError[] = []
  const names = new Set<string>()
  for (const [i, { name }] of sysctls.entries()) {
    const at = path.index(i).child('name')
    errors.push(...validateName(name, at, names))
    const message = hostMessage(name, spec)
    if (message !== undefined && !(old && changesHost(old))) errors.push(field.invalid(at, name, message))
    names.add(name)
  }
  return errors
}

function validateName(name: string, path: FieldPath, names: ReadonlySet<string>): readonly FieldError[] {
  if (name === '') return [field.required(path)]
  if (name.length > longestName || !form.test(name))
    return [field.invalid(path, name, `must have at most ${longestName} characters and match regex ${source}`)]
  return names.has(name) ? [field.duplicate(path, name)] : field.none
}

function changesHost(spec: Host): boolean {
  return (spec.securityContext?.sysctls ?? []).some(({ name }) => hostMessage(name, spec) !== undefined)
}

/** Rejects a sysctl of a namespace that the pod shares with its host, because it would change the host. */
function hostMessage(name: string, { hostNetwork, hostIPC }: Host): string | undefined {
  const namespace = namespaceOf(dotted(name))
  if (hostNetwork && namespace === 'net') return "may not be specified when 'hostNetwork' is true"
  return hostIPC && namespace === 'ipc' ? "may not be specified when 'hostIPC' is true" : undefined
}

const ipcPrefixes = ['kernel.shm', 'kernel.msg', 'fs.mqueue.'] as const

function namespaceOf(name: string): 'net' | 'ipc' | undefined {
  if (name.startsWith('net.')) return 'net'
  return name === 'kernel.sem' || ipcPrefixes.some((prefix) => name.startsWith(prefix)) ? 'ipc' : undefined
}

/** `net/ipv4/x.y` is `net.ipv4.x/y`: the first separator says which of the two is meant. */
function dotted(name: string): string {
  if (!/^[^./]*\//.test(name)) return name
  return name.replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'))
}
