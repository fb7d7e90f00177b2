import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { labelKey } from '../../../schema/label-names.js'
import { dns1035Label, dnsSubdomain, type Messages } from '../../../schema/names.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { keepMetadata } from '../../metadata/status-metadata.js'
import {
  type ServerStorageVersion,
  StorageVersion,
  type StorageVersionCondition,
  type StorageVersionStatus,
} from './storage-version.js'

const statusPath = fieldPath('status')

export const storageVersionStrategy = declareStrategy<StorageVersion>(StorageVersion, {
  name: storageVersionName,
  updatedUnconditionally: false,
  prepareCreate(draft) {
    draft.status = {}
  },
  prepareUpdate(draft, old) {
    draft.status = old.status as Draft<StorageVersionStatus>
  },
  validate: () => field.none,
  subresources: {
    status: {
      prepareUpdate: keepMetadata,
      validateUpdate: ({ status }) => validateStatus(status),
    },
  },
})

/** `apps.deployments`; the core is `core`. */
function storageVersionName(name: string): Messages {
  const dot = name.lastIndexOf('.')
  if (dot < 0) return ['name must be in the form of <group>.<resource>']
  return [
    ...dnsSubdomain(name.slice(0, dot)).map((message) => `the group segment ${message}`),
    ...dns1035Label(name.slice(dot + 1)).map((message) => `the resource segment ${message}`),
  ]
}

function validateStatus(status: StorageVersionStatus): readonly field.FieldError[] {
  const path = statusPath.child('storageVersions')
  const servers = status.storageVersions ?? []
  const ids = servers.map(({ apiServerID }) => apiServerID)
  return [
    ...servers.flatMap((server, i) => [
      ...(ids.indexOf(server.apiServerID) < i
        ? [field.duplicate(path.index(i).child('apiServerID'), server.apiServerID)]
        : []),
      ...validateServer(server, path.index(i)),
    ]),
    ...validateCommonVersion(status),
    ...validateConditions(status.conditions ?? []),
  ]
}

function validateServer(server: ServerStorageVersion, path: FieldPath): readonly field.FieldError[] {
  const { apiServerID = '', encodingVersion = '' } = server
  const decodable = server.decodableVersions ?? []
  const decodablePath = path.child('decodableVersions')
  const servedPath = path.child('servedVersions')
  return [
    ...field.invalidForEach(path.child('apiServerID'), apiServerID, dnsSubdomain(apiServerID)),
    ...validateVersion(encodingVersion, path.child('encodingVersion')),
    ...decodable.flatMap((version, i) => validateVersion(version, decodablePath.index(i))),
    ...(decodable.includes(encodingVersion)
      ? []
      : [
          field.invalid(
            decodablePath,
            server.decodableVersions,
            `decodableVersions must include encodingVersion ${encodingVersion}`,
          ),
        ]),
    ...(server.servedVersions ?? []).flatMap((version, i) => [
      ...validateVersion(version, servedPath.index(i)),
      ...(decodable.includes(version)
        ? []
        : [
            field.invalid(
              servedPath.index(i),
              version,
              `individual served version : ${version} must be included in decodableVersions : [${decodable.join(' ')}]`,
            ),
          ]),
    ]),
  ]
}

function validateVersion(version: string, path: FieldPath): readonly field.FieldError[] {
  const messages = versionMessages(version)
  return messages.length > 0 ? [field.invalid(path, version, messages.join(','))] : field.none
}

const noVersion =
  "an apiVersion is a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')"

function versionMessages(apiVersion: string): Messages {
  const parts = apiVersion.split('/')
  if (parts.length > 2) return [noVersion]
  const group = parts.length === 2 ? part('group', parts[0]!, dnsSubdomain) : []
  return [...group, ...part('version', parts.at(-1)!, dns1035Label)]
}

function part(name: string, text: string, rule: (text: string) => Messages): Messages {
  const messages = text === '' ? ['must be non-empty'] : rule(text)
  return messages.map((message) => `${name} part: ${message}`)
}

/** The common encoding version must be set if, and only if, all servers agree. */
function validateCommonVersion(status: StorageVersionStatus): readonly field.FieldError[] {
  const versions = new Set((status.storageVersions ?? []).map(({ encodingVersion }) => encodingVersion))
  const common = versions.size === 1 ? [...versions][0] : undefined
  const said = status.commonEncodingVersion
  if (common === said) return field.none
  const path = statusPath.child('commonEncodingVersion')
  if (common === undefined)
    return [
      field.invalid(
        path,
        said,
        'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet',
      ),
    ]
  const actual = said === undefined ? 'common' : 'actual common'
  return [field.invalid(path, said, `the ${actual} encoding version is ${common}`)]
}

/** The paths of errors do not contain the list. */
function validateConditions(conditions: readonly StorageVersionCondition[]): readonly field.FieldError[] {
  const types = conditions.map(({ type }) => type)
  return conditions.flatMap(({ type, status, reason, message }, i) => {
    const path = statusPath.index(i)
    const before = types.slice(0, i).lastIndexOf(type)
    const repeated = `the type of the condition is not unique, it also appears in conditions[${before}]`
    return [
      ...(before < 0 ? [] : [field.invalid(path.child('type'), type, repeated)]),
      ...field.invalidForEach(path.child('type'), type, labelKey(type)),
      ...field.invalidForEach(path.child('status'), status, labelKey(status)),
      ...(reason === '' ? [field.required(path.child('reason'), 'reason cannot be empty')] : []),
      ...(message ? [] : [field.required(path.child('message'), 'message cannot be empty')]),
    ]
  })
}
