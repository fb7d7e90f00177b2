/** The objects or types that the arguments name. */
export interface NamedArguments {
  /** `pod/web`, `deploy/api` */
  readonly tuples: readonly Tuple[]
  /** `pods,services` */
  readonly types: readonly string[]
  readonly names: readonly string[]
}

interface Tuple {
  readonly type: string
  readonly name: string
}

const mixed =
  "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'"

export function readArguments(given: readonly string[]): NamedArguments {
  const args = spreadTypes(given)
  const slashes = args.filter((arg) => arg.includes('/')).length
  if (slashes > 0 && slashes < args.length) throw new Error(mixed)
  if (slashes > 0) return { tuples: args.map(readTuple), types: [], names: [] }
  const [types = '', ...names] = args
  return { tuples: [], types: splitTypes(types), names }
}

/** Expands `pods,services web` to `pods/web services/web`. */
function spreadTypes(args: readonly string[]): readonly string[] {
  const [first = '', ...names] = args
  const types = splitTypes(first)
  if (names.length === 0 || types.length < 2) return args
  return types.flatMap((type) => names.map((name) => `${type}/${name}`))
}

export function splitTypes(text: string): readonly string[] {
  return [...new Set(text.split(',').filter((type) => type !== ''))]
}

function readTuple(text: string): Tuple {
  const parts = text.split('/')
  if (parts.length !== 2) throw new Error('arguments in resource/name form may not have more than one slash')
  const [type = '', name = ''] = parts
  if (type === '' || name === '' || splitTypes(type).length !== 1)
    throw new Error('arguments in resource/name form must have a single resource and name')
  return { type, name }
}
