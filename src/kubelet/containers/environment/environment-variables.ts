import type { EnvVar, EnvVarSource, FileKeySelector } from '../../../api/core/v1/container/env.js'
import type { Container } from '../../../api/core/v1/container.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { quote } from '../../../schema/quote.js'
import type { MountedVolumes } from '../../volumes/volumes.js'
import { pathWithin } from '../mounts/sub-path.js'
import { readVolumeTextFile } from '../mounts/volume-text-file.js'
import { type ConfigObjects, VariableSources } from './config-objects.js'
import { envFileValue } from './env-file.js'
import { expandVariables } from './expansion.js'
import { type PodAddresses, podField } from './pod-field.js'
import { type ResourceQuantities, resourceField, selectedContainer } from './resource-field.js'

/** The variables of a container, in the order of their definition. */
export type EnvironmentVariables = ReadonlyMap<string, Buffer>

export interface VariableRequest {
  readonly pod: Pod
  readonly container: Container
  readonly addresses: PodAddresses
  readonly volumes: MountedVolumes
  readonly objects: ConfigObjects
  /** Allocatable resources of the node, the default for missing limits. */
  readonly allocatable: ResourceQuantities
  /** Variables of services. Those of the container take precedence. */
  readonly services: ReadonlyMap<string, string>
}

/**
 * Returns the variables of `envFrom`, then of `env`, each of which can use the earlier ones, then of services. Any key of an object is a
 * valid name. Rejects with an `Error` in upstream's words.
 */
export async function environmentVariables(request: VariableRequest): Promise<EnvironmentVariables> {
  const { container, pod, services } = request
  const sources = new VariableSources(request.objects, pod.metadata.namespace ?? '')
  const variables = await objectVariables(container, sources)
  for (const variable of container.env ?? []) {
    const value = await variableValue(variable, { request, sources, variables })
    if (value !== undefined) variables.set(variable.name, value)
  }
  for (const [name, value] of services) if (!variables.has(name)) variables.set(name, Buffer.from(value))
  return variables
}

async function objectVariables({ envFrom = [] }: Container, sources: VariableSources): Promise<Map<string, Buffer>> {
  const variables = new Map<string, Buffer>()
  for (const { prefix = '', configMapRef, secretRef } of envFrom) {
    const entries = configMapRef
      ? await sources.all('ConfigMap', configMapRef)
      : secretRef && (await sources.all('Secret', secretRef))
    for (const [key, value] of entries ?? []) variables.set(prefix + key, value)
  }
  return variables
}

interface VariableContext {
  readonly request: VariableRequest
  readonly sources: VariableSources
  readonly variables: EnvironmentVariables
}

/** Resolves with undefined if something optional is missing. The variable is not set then. */
async function variableValue({ value, valueFrom }: EnvVar, context: VariableContext): Promise<Buffer | undefined> {
  if (!value && valueFrom) return await sourcedValue(valueFrom, context)
  const { variables, request } = context
  const lookup = (name: string) => variables.get(name)?.toString() ?? request.services.get(name)
  return Buffer.from(expandVariables(value ?? '', lookup))
}

async function sourcedValue(source: EnvVarSource, { request, sources }: VariableContext): Promise<Buffer | undefined> {
  const { pod, container, addresses, allocatable, volumes } = request
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source
  if (fieldRef) return Buffer.from(podField(pod, fieldRef.fieldPath, addresses))
  if (resourceFieldRef) {
    const selected = selectedContainer(resourceFieldRef.containerName, container, pod.spec)
    return Buffer.from(resourceField(resourceFieldRef, selected, { spec: pod.spec, allocatable }))
  }
  if (configMapKeyRef) return await sources.one('ConfigMap', configMapKeyRef)
  if (secretKeyRef) return await sources.one('Secret', secretKeyRef)
  return fileKeyRef ? await fileValue(fileKeyRef, volumes) : Buffer.alloc(0)
}

/** An empty value counts as missing. Details of parse errors stay in `cause`, because pod events must not show file contents. */
async function fileValue(reference: FileKeySelector, volumes: MountedVolumes): Promise<Buffer | undefined> {
  const { volumeName, path, key, optional = false } = reference
  const volume = volumes.get(volumeName)
  if (!volume) throw new Error(`cannot find the volume ${quote(volumeName)} referenced by FileKeyRef`)
  const file = await pathWithin(volume.path, path)
  const value = await valueIn(volume.path, path, key)
  if (value) return Buffer.from(value)
  if (optional) return undefined
  throw new Error(`environment variable key ${quote(key)} not found in file ${quote(file)}`)
}

async function valueIn(volume: string, path: string, key: string): Promise<string | undefined> {
  try {
    return envFileValue(await readVolumeTextFile(volume, path), key)
  } catch (error) {
    throw new Error("couldn't parse env file", { cause: error })
  }
}
