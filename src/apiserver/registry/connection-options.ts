import type { KubeObject } from '../../api/kube-object.js'
import type { QueryType } from '../../schema/declaration.js'
import type { Draft } from '../../schema/infer.js'
import { isTrue } from '../request/request-info.js'
import type { VerbScope } from '../verbs/verb-scope.js'

/** Options that may have several values. */
const repeated: ReadonlySet<string> = new Set(['command', 'ports'])

/** The options of a connection as an object: the query, and the rest of the path if it is forwarded. */
export function connectionOptions({ resource, subresource, context }: VerbScope): Draft<KubeObject> {
  const { kind } = resource.type
  const { undeclaredKind = '', query: declared = {}, anyPath } = kind.resource.subresources[subresource] ?? {}
  const { query } = context.request
  const options: Record<string, unknown> = { kind: undeclaredKind, apiVersion: kind.apiVersion, metadata: {} }
  for (const [name, type] of Object.entries(declared)) {
    const values = query.getAll(name).flatMap((text) => optionValue(text, type) ?? [])
    if (values.length > 0) options[name] = repeated.has(name) ? values : values[0]
  }
  const rest = context.info.parts.slice(3).join('/')
  if (anyPath && rest !== '') options.path = `/${rest}`
  return options as Draft<KubeObject>
}

/** Returns undefined for a value that counts as not set. */
function optionValue(text: string, type: QueryType): string | boolean | number | undefined {
  if (type === 'boolean') return isTrue(text) || undefined
  if (type === 'integer') return /^[0-9]+$/.test(text) ? Number(text) : undefined
  return text === '' ? undefined : text
}
