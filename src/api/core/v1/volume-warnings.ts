import type { FieldPath } from '../../../schema/field-path.js'
import { quote } from '../../../schema/quote.js'
import type { Volume } from './volume.js'

/** In the order in which they are told. */
const deprecated = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const satisfies readonly (readonly [name: keyof Volume, message: string, shown?: string])[]

/** What is doubtful about the volumes of a pod; `path` leads to them. */
export function volumeWarnings(volumes: readonly Volume[] | undefined, path: FieldPath): readonly string[] {
  if (!volumes) return []
  return [
    ...volumes.flatMap((volume, i) =>
      deprecated.flatMap(([name, message, shown]) =>
        volume[name] === undefined ? [] : [`${path.index(i).child(shown ?? name)}: ${message}`],
      ),
    ),
    ...hiddenTokenWarnings(volumes, path),
  ]
}

/** Files that stand where a token stands too. */
function hiddenTokenWarnings(volumes: readonly Volume[], path: FieldPath): readonly string[] {
  const tokens = new Set(
    volumes.flatMap(({ projected }) =>
      (projected?.sources ?? []).flatMap(({ serviceAccountToken }) => serviceAccountToken?.path ?? []),
    ),
  )
  if (tokens.size === 0) return []
  return volumes.flatMap(({ projected }, i) => {
    const at = path.index(i).child('projected', 'sources')
    return (projected?.sources ?? []).flatMap(({ configMap, secret, downwardAPI, clusterTrustBundle }) => [
      ...clashes(configMap?.items, tokens, at.child('configMap')),
      ...clashes(secret?.items, tokens, at.child('secrets')),
      ...clashes(downwardAPI?.items, tokens, at.child('downwardAPI')),
      ...(clusterTrustBundle && tokens.has(clusterTrustBundle.path)
        ? [clash(at.child('ClusterTrustBundle'), clusterTrustBundle.path)]
        : []),
    ])
  })
}

function clashes(
  items: readonly { readonly path: string }[] | undefined,
  tokens: ReadonlySet<string>,
  path: FieldPath,
): readonly string[] {
  return (items ?? []).flatMap((item, i) => (tokens.has(item.path) ? [clash(path.index(i), item.path)] : []))
}

function clash(path: FieldPath, file: string): string {
  return `${path}: has duplicated path with ServiceAccountToken ${quote(file)}`
}
